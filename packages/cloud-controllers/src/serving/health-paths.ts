import type { CounterMetric, GaugeMetric, Metrics } from '@cloudstack-ccm/base';

import { text, type Answer, type Path, type ServedRequest } from './answer.ts';
import { describeHealth, type HealthChecks, type HealthResult } from './health.ts';
import { ANONYMOUS } from './identity.ts';

/** What the checks of all paths showed, for `/metrics/slis`. */
export class HealthMetrics {
  readonly #last: GaugeMetric;
  readonly #total: CounterMetric;

  constructor(metrics: Metrics) {
    this.#last = metrics.gauge({
      name: 'kubernetes_healthcheck',
      help: '[STABLE] This metric records the result of a single healthcheck.',
      labels: ['name', 'type'],
    });
    this.#total = metrics.counter({
      name: 'kubernetes_healthchecks_total',
      help: '[STABLE] This metric records the results of all healthcheck.',
      labels: ['name', 'type', 'status'],
    });
  }

  record(type: string, results: readonly HealthResult[]): void {
    for (const { name, excluded, failure } of results) {
      if (excluded) continue;
      const good = failure === undefined;
      this.#last.set(good ? 1 : 0, { name, type });
      this.#total.inc({ name, type, status: good ? 'success' : 'error' });
    }
  }
}

/**
 * A path such as `/healthz`.
 * @param what the path without its slash.
 */
export function healthPath(what: string, checks: HealthChecks, metrics: () => HealthMetrics): Path {
  return async (request) => {
    const excluded = new Set(request.query.getAll('exclude'));
    const results = await checks.evaluate(excluded);
    metrics().record(what, results);
    const known = new Set(results.map(({ name }) => name));
    const { ok, body } = describeHealth(results, {
      what,
      verbose: request.query.has('verbose'),
      unknown: [...excluded].filter((name) => !known.has(name)),
      reveal: isTrusted(request),
    });
    return answer(ok, body);
  };
}

function answer(ok: boolean, body: string): Answer {
  return text(ok ? 200 : 500, body);
}

/** Probes are anonymous and told no reasons; somebody on this machine or in the pod's own network is told. */
function isTrusted({ identity, local }: ServedRequest): boolean {
  return local || identity !== ANONYMOUS;
}
