import { exponentialBuckets, type CounterMetric, type HistogramMetric, type Metrics } from '@cloudstack-ccm/base';

export interface ServiceMetrics {
  /** Updates of members that node changes caused. */
  readonly memberUpdates: CounterMetric;
  /** Those of them that failed. */
  readonly memberUpdateErrors: CounterMetric;
  /** Seconds that one change of the nodes took over all Services. */
  readonly nodePassSeconds: HistogramMetric;
  /** Seconds that the update of one Service's members took. */
  readonly memberUpdateSeconds: HistogramMetric;
}

export function serviceMetrics(metrics: Metrics): ServiceMetrics {
  const buckets = exponentialBuckets(1, 2, 15);
  return {
    memberUpdates: metrics.counter({
      name: 'service_controller_loadbalancer_sync_total',
      help: '[ALPHA] A metric counting the amount of times any load balancer has been configured, as an effect of service/node changes on the cluster',
    }),
    memberUpdateErrors: metrics.counter({
      name: 'service_controller_nodesync_error_total',
      help: '[ALPHA] A metric counting the amount of times any load balancer has been configured and errored, as an effect of node changes on the cluster',
    }),
    nodePassSeconds: metrics.histogram({
      name: 'service_controller_nodesync_latency_seconds',
      help: '[ALPHA] A metric measuring the latency for nodesync which updates loadbalancer hosts on cluster node updates.',
      buckets,
    }),
    memberUpdateSeconds: metrics.histogram({
      name: 'service_controller_update_loadbalancer_host_latency_seconds',
      help: '[ALPHA] A metric measuring the latency for updating each load balancer hosts.',
      buckets,
    }),
  };
}
