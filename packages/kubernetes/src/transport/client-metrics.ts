import type { CounterMetric, HistogramMetric, Metrics } from '@cloudstack-ccm/base';

interface Series {
  readonly requests: CounterMetric;
  readonly retries: CounterMetric;
  readonly duration: HistogramMetric;
  readonly throttled: HistogramMetric;
  readonly requestSize: HistogramMetric;
  readonly responseSize: HistogramMetric;
}

const SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const BYTES = [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216];

/** The `rest_client_*` metrics, with client-go's names, labels and buckets. */
export class ClientMetrics {
  readonly #host: string;
  readonly #series: Series | undefined;

  /** @param host `host:port` of the API server. */
  constructor(host: string, metrics: Metrics | undefined) {
    this.#host = host;
    this.#series = metrics && register(metrics);
  }

  /** @param code the HTTP status, or `<error>` when no answer came. */
  requested(method: string, code: string, seconds: number): void {
    this.#series?.requests.inc({ code, method, host: this.#host });
    this.#series?.duration.observe(seconds, this.#labels(method));
  }

  retried(method: string, code: string): void {
    this.#series?.retries.inc({ code, ...this.#labels(method) });
  }

  throttled(method: string, seconds: number): void {
    this.#series?.throttled.observe(seconds, this.#labels(method));
  }

  sent(method: string, bytes: number): void {
    this.#series?.requestSize.observe(bytes, this.#labels(method));
  }

  received(method: string, bytes: number): void {
    this.#series?.responseSize.observe(bytes, this.#labels(method));
  }

  #labels(method: string): { readonly verb: string; readonly host: string } {
    return { verb: method, host: this.#host };
  }
}

function register(metrics: Metrics): Series {
  const labels = ['verb', 'host'];
  const histogram = (name: string, help: string, buckets: readonly number[]): HistogramMetric =>
    metrics.histogram({ name: `rest_client_${name}`, help: `[ALPHA] ${help}`, labels, buckets });
  return {
    requests: metrics.counter({
      name: 'rest_client_requests_total',
      help: '[ALPHA] Requests to the API server by status code, method and host.',
      labels: ['code', 'method', 'host'],
    }),
    retries: metrics.counter({
      name: 'rest_client_request_retries_total',
      help: '[ALPHA] Requests sent again, by status code, verb and host.',
      labels: ['code', ...labels],
    }),
    duration: histogram('request_duration_seconds', 'Request latency in seconds.', SECONDS),
    throttled: histogram('rate_limiter_duration_seconds', 'Wait for the client-side rate limit in seconds.', SECONDS),
    requestSize: histogram('request_size_bytes', 'Request body size in bytes.', BYTES),
    responseSize: histogram('response_size_bytes', 'Response body size in bytes.', BYTES),
  };
}
