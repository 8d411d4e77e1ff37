import { exponentialBuckets, type HistogramMetric, type Metrics } from '@cloudstack-ccm/base';

export interface NodeMetrics {
  /** Seconds from a node's creation until it lost the uninitialized taint. */
  readonly taintRemovalDelay: HistogramMetric;
  /** Seconds from a node's creation until it was initialised. */
  readonly initialSyncDelay: HistogramMetric;
}

export function nodeMetrics(metrics: Metrics): NodeMetrics {
  const buckets = exponentialBuckets(1, 4, 6);
  return {
    taintRemovalDelay: metrics.histogram({
      name: 'node_controller_cloud_provider_taint_removal_delay_seconds',
      help: '[ALPHA] Number of seconds after node creation when NodeController removed the cloud-provider taint of a single node.',
      buckets,
    }),
    initialSyncDelay: metrics.histogram({
      name: 'node_controller_initial_node_sync_delay_seconds',
      help: '[ALPHA] Number of seconds after node creation when NodeController finished the initial synchronization of a single node.',
      buckets,
    }),
  };
}
