import { createMetrics, type Metrics, type Verbosity } from '@cloudstack-ccm/base';

import { json, text, type Answer, type Path } from './answer.ts';
import type { HealthChecks } from './health.ts';
import { HealthMetrics, healthPath } from './health-paths.ts';
import { startTimeMetric } from './process-metrics.ts';

export interface PathsOptions {
  readonly health: HealthChecks;
  readonly live: HealthChecks;
  readonly ready: HealthChecks;
  readonly metrics: Metrics;
  /** What `/configz` shows. */
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly verbosity: Verbosity;
  /** Serves what changes the process: the flag `--profiling`. */
  readonly profiling: boolean;
}

/** Everything that is served, by exact path. */
export function servedPaths(options: PathsOptions): ReadonlyMap<string, Path> {
  const slis = new HealthSlis();
  const current = (): HealthMetrics => slis.metrics;
  return new Map<string, Path>([
    ['/healthz', healthPath('healthz', options.health, current)],
    ['/livez', healthPath('livez', options.live, current)],
    ['/readyz', healthPath('readyz', options.ready, current)],
    ['/metrics', () => exposition(options.metrics)],
    ['/metrics/slis', (request) => slis.serve(request.method)],
    ['/configz', async () => nosniff(json(200, options.configuration))],
    ...(options.profiling ? [['/debug/flags/v', verbosityPath(options.verbosity)] as const] : []),
  ]);
}

async function exposition(metrics: Metrics): Promise<Answer> {
  const { contentType, text: body } = await metrics.expose();
  return { status: 200, contentType, body };
}

/** The metrics of the health checks stand alone, so that they can be scraped often, and reset. */
class HealthSlis {
  #registry: Metrics;
  #metrics: HealthMetrics;

  constructor() {
    [this.#registry, this.#metrics] = fresh();
  }

  get metrics(): HealthMetrics {
    return this.#metrics;
  }

  async serve(method: string): Promise<Answer> {
    if (method !== 'DELETE') return exposition(this.#registry);
    [this.#registry, this.#metrics] = fresh();
    return text(200, 'metrics reset\n');
  }
}

function fresh(): [Metrics, HealthMetrics] {
  const registry = createMetrics();
  startTimeMetric(registry);
  return [registry, new HealthMetrics(registry)];
}

function nosniff(answer: Answer): Answer {
  return { ...answer, headers: { 'X-Content-Type-Options': 'nosniff' } };
}

/** `PUT /debug/flags/v` changes how much is logged while the process runs. */
function verbosityPath(verbosity: Verbosity): Path {
  return async ({ method, body }) => {
    if (method !== 'PUT') return text(406, 'unsupported http method\n');
    const value = (await body()).trim();
    if (!/^\d{1,9}$/.test(value)) {
      return text(400, `failed to set klog.logging.verbosity: ${JSON.stringify(value)} is no level\n`);
    }
    verbosity.level = Number(value);
    return text(200, `successfully set klog.logging.verbosity to ${value}\n`);
  };
}
