import { type Clock, exponentialBuckets, type Metrics } from '@cloudstack-ccm/base';
import type { Decorator } from '../call.ts';
import { outcomeOf } from './outcome.ts';

/** Counts and times each call that goes out, repeated ones each time. By command, never by object. */
export function metering(metrics: Metrics, clock: Clock): Decorator {
  const requests = metrics.counter({
    name: 'cloudstack_api_requests_total',
    help: '[ALPHA] Calls of the CloudStack API by command and result: success, the error code, transport, not_json, timeout.',
    labels: ['command', 'result'],
  });
  const durations = metrics.histogram({
    name: 'cloudstack_api_request_duration_seconds',
    help: '[ALPHA] Time from sending a call of the CloudStack API to its answer.',
    labels: ['command'],
    buckets: exponentialBuckets(0.01, 2.5, 9),
  });
  return (next) => async (scope, call) => {
    const { command } = call;
    const began = clock.monotonic();
    let result = 'success';
    try {
      return await next(scope, call);
    } catch (error) {
      result = outcomeOf(error);
      throw error;
    } finally {
      requests.inc({ command, result });
      durations.observe((clock.monotonic() - began) / 1000, { command });
    }
  };
}
