// By file: the library's entry also loads clustering, the push gateway and default metrics, which costs 4 MB.
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Histogram from 'prom-client/lib/histogram.js';
import Registry from 'prom-client/lib/registry.js';

type Labels = Readonly<Record<string, string>>;

export interface CounterMetric {
  inc(labels?: Labels, by?: number): void;
}

export interface GaugeMetric {
  set(value: number, labels?: Labels): void;
  remove(labels: Labels): void;
  /**
   * Reads the value at each scrape, for values that are computed rather than kept.
   * @returns what stops the reading and removes the series.
   */
  track(labels: Labels, read: () => number): () => void;
}

export interface HistogramMetric {
  observe(value: number, labels?: Labels): void;
  /** Makes the series appear, with nothing observed yet. */
  zero(labels: Labels): void;
}

interface MetricOptions {
  readonly name: string;
  /** Starts with the stability in brackets, as Kubernetes does: `[ALPHA] …`. */
  readonly help: string;
  readonly labels?: readonly string[];
}

interface HistogramOptions extends MetricOptions {
  readonly buckets: readonly number[];
}

interface CounterOptions extends MetricOptions {
  /** Called at each scrape: for totals that somebody else counts, such as the kernel. They must never go down. */
  readonly collect?: () => number;
}

interface GaugeOptions extends MetricOptions {
  /** Called at each scrape: for values that are read rather than kept. */
  readonly collect?: () => number;
}

/** What code that measures needs to know; the registry behind it is prom-client's. */
export interface Metrics {
  /** A counter. Asking twice for one name gives the same metric. */
  counter(options: CounterOptions): CounterMetric;
  gauge(options: GaugeOptions): GaugeMetric;
  histogram(options: HistogramOptions): HistogramMetric;
  /** The Prometheus text of all metrics, and its content type. */
  expose(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** A registry of its own: two in one process (tests, two controllers) do not see each other. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const known = new Map<string, unknown>();
  const once = <T>(name: string, make: () => T): T => {
    if (!known.has(name)) known.set(name, make());
    return known.get(name) as T;
  };
  const base = ({
    name,
    help,
    labels = [],
  }: MetricOptions): { name: string; help: string; labelNames: string[]; registers: Registry[] } => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  });
  return {
    counter: (options) =>
      once(options.name, () => {
        const { collect } = options;
        const counter = new Counter({
          ...base(options),
          ...(collect && {
            collect() {
              this.reset();
              this.inc(collect());
            },
          }),
        });
        return { inc: (labels = {}, by = 1) => counter.inc(labels, by) };
      }),
    gauge: (options) =>
      once(options.name, () => {
        const { collect } = options;
        const tracked = new Map<() => number, Labels>();
        const gauge = new Gauge({
          ...base(options),
          collect() {
            if (collect) this.set(collect());
            for (const [read, labels] of tracked) this.set(labels, read());
          },
        });
        return {
          set: (value, labels = {}) => gauge.set(labels, value),
          remove: (labels) => gauge.remove(labels),
          track: (labels, read) => {
            tracked.set(read, labels);
            return () => {
              if (tracked.delete(read)) gauge.remove(labels);
            };
          },
        };
      }),
    histogram: (options) =>
      once(options.name, () => {
        const histogram = new Histogram({ ...base(options), buckets: [...options.buckets] });
        return {
          observe: (value, labels = {}) => histogram.observe(labels, value),
          zero: (labels) => histogram.zero(labels),
        };
      }),
    expose: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

/** `count` bucket bounds: `start`, `start·factor`, `start·factor²` … */
export function exponentialBuckets(start: number, factor: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => start * factor ** index);
}
