import {
  type Clock,
  type CounterMetric,
  exponentialBuckets,
  type GaugeMetric,
  type HistogramMetric,
  type Metrics,
} from '@cloudstack-ccm/base';

interface Series {
  readonly depth: GaugeMetric;
  readonly adds: CounterMetric;
  readonly retries: CounterMetric;
  readonly queued: HistogramMetric;
  readonly worked: HistogramMetric;
  readonly stop: () => void;
}

/** The `workqueue_*` metrics of one queue, with client-go's names, buckets and meaning. */
export class WorkQueueMetrics {
  readonly #clock: Clock;
  readonly #labels: { readonly name: string };
  readonly #series: Series | undefined;
  readonly #addedAt = new Map<string, number>();
  readonly #takenAt = new Map<string, number>();

  constructor(name: string, clock: Clock, metrics: Metrics | undefined) {
    this.#clock = clock;
    this.#labels = { name };
    this.#series = metrics && this.#register(metrics);
  }

  added(key: string): void {
    this.#series?.adds.inc(this.#labels);
    if (!this.#addedAt.has(key)) this.#addedAt.set(key, this.#clock.monotonic());
  }

  taken(key: string): void {
    const now = this.#clock.monotonic();
    this.#series?.queued.observe((now - (this.#addedAt.get(key) ?? now)) / 1000, this.#labels);
    this.#addedAt.delete(key);
    this.#takenAt.set(key, now);
  }

  finished(key: string): void {
    const now = this.#clock.monotonic();
    this.#series?.worked.observe((now - (this.#takenAt.get(key) ?? now)) / 1000, this.#labels);
    this.#takenAt.delete(key);
  }

  retried(): void {
    this.#series?.retries.inc(this.#labels);
  }

  depth(keys: number): void {
    this.#series?.depth.set(keys, this.#labels);
  }

  /** The queue has ended: its ages are no longer read. */
  close(): void {
    this.#series?.stop();
  }

  #ages(): number[] {
    const now = this.#clock.monotonic();
    return [...this.#takenAt.values()].map((taken) => (now - taken) / 1000);
  }

  #register(metrics: Metrics): Series {
    const labels = ['name'];
    const buckets = exponentialBuckets(1e-8, 10, 10);
    const unfinished = metrics.gauge({
      name: 'workqueue_unfinished_work_seconds',
      help: '[BETA] Summed age in seconds of the items in work. Growth means that workers hang.',
      labels,
    });
    const longest = metrics.gauge({
      name: 'workqueue_longest_running_processor_seconds',
      help: '[BETA] Age in seconds of the item that is in work for the longest time.',
      labels,
    });
    const stops = [
      unfinished.track(this.#labels, () => this.#ages().reduce((sum, age) => sum + age, 0)),
      longest.track(this.#labels, () => Math.max(0, ...this.#ages())),
    ];
    const series = {
      depth: metrics.gauge({ name: 'workqueue_depth', help: '[BETA] Items that wait for work.', labels }),
      adds: metrics.counter({ name: 'workqueue_adds_total', help: '[BETA] Items added.', labels }),
      retries: metrics.counter({ name: 'workqueue_retries_total', help: '[BETA] Items added again later.', labels }),
      queued: metrics.histogram({
        name: 'workqueue_queue_duration_seconds',
        help: '[BETA] How long in seconds an item waited for work.',
        labels,
        buckets,
      }),
      worked: metrics.histogram({
        name: 'workqueue_work_duration_seconds',
        help: '[BETA] How long in seconds the work on an item took.',
        labels,
        buckets,
      }),
      stop: () => stops.forEach((stop) => stop()),
    };
    this.#showFromStart(series);
    return series;
  }

  #showFromStart({ depth, adds, retries, queued, worked }: Series): void {
    depth.set(0, this.#labels);
    for (const counter of [adds, retries]) counter.inc(this.#labels, 0);
    for (const histogram of [queued, worked]) histogram.zero(this.#labels);
  }
}
