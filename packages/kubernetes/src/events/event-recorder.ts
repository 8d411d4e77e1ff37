import { type Clock, type Logger, type Scope, shorten, systemClock, Tasks } from '@cloudstack-ccm/base';
import { StatusError } from '../errors.ts';
import type { KubernetesClient } from '../kubernetes-client.ts';
import { LruMap } from '../lru-map.ts';
import type { EventType, ObjectReference } from '../objects/event.ts';
import { strategicPatch } from '../patch.ts';
import { EventAggregator } from './event-aggregator.ts';
import { eventBody, eventName, eventNamespace, eventPatch, type SentEvent } from './event-body.ts';
import type { EventNotice } from './event-notice.ts';
import { SpamFilter } from './spam-filter.ts';

export interface EventRecorderOptions {
  readonly client: Pick<KubernetesClient, 'events'>;
  /** Who tells, for example `service-controller`. */
  readonly source: string;
  readonly log: Logger;
  readonly clock?: Clock;
  /** Numbers in [0, 1). Default Math.random. */
  readonly random?: () => number;
}

const QUEUE_LIMIT = 1000;

/** What the newer kind of events allows, and more than anybody reads. */
const LONGEST_MESSAGE = 1024;
const CACHE_LIMIT = 4096;
const MAX_TRIES = 12;
const RETRY_MS = 10_000;

/**
 * Tells about objects by Events, as client-go's recorder does: similar events are combined, repeated ones counted,
 * spam is dropped. `event` neither throws nor waits; what cannot be sent is logged.
 */
export class EventRecorder {
  readonly #options: Required<EventRecorderOptions>;
  readonly #queue: EventNotice[] = [];
  readonly #aggregator: EventAggregator;
  readonly #spamFilter: SpamFilter;
  readonly #sent: LruMap<string, SentEvent>;
  readonly #idle = new Set<() => void>();
  #wake: (() => void) | undefined;
  #busy = false;
  #ended = false;
  #sequence: bigint;

  constructor(options: EventRecorderOptions) {
    this.#options = { clock: systemClock, random: Math.random, ...options };
    const { clock, random } = this.#options;
    this.#aggregator = new EventAggregator(clock, CACHE_LIMIT);
    this.#spamFilter = new SpamFilter(clock, CACHE_LIMIT);
    this.#sent = new LruMap(CACHE_LIMIT);
    this.#sequence = BigInt(Math.floor(random() * 1e6));
  }

  /** Sends in the background until the scope ends; what is then still queued is dropped. */
  start(scope: Scope): void {
    const { log, source } = this.#options;
    new Tasks(scope, log).spawn(`events-${source}`, (own) => this.#work(own));
  }

  /** Logs the event and queues it; when 1,000 wait already it is only logged. */
  event(about: ObjectReference, type: EventType, reason: string, text: string): void {
    const { clock, log } = this.#options;
    const message = shorten(text, LONGEST_MESSAGE);
    log.info('Event occurred', {
      object: about.namespace === '' ? about.name : `${about.namespace}/${about.name}`,
      fieldPath: about.fieldPath ?? '',
      kind: about.kind,
      apiVersion: about.apiVersion,
      type,
      reason,
      message,
    });
    if (this.#ended || this.#queue.length >= QUEUE_LIMIT) return;
    this.#queue.push({ about, type, reason, message, time: clock.now() });
    this.#wake?.();
  }

  /** Resolves when all queued events have been sent or given up. @throws the scope's reason if it ends first. */
  async flush(scope: Scope): Promise<void> {
    if (this.#ended || (this.#queue.length === 0 && !this.#busy)) return;
    await scope.race((resolve) => {
      this.#idle.add(resolve);
      return () => this.#idle.delete(resolve);
    });
  }

  async #work(scope: Scope): Promise<void> {
    try {
      for (;;) {
        const notice = this.#queue.shift();
        if (notice) await this.#handle(scope, notice);
        else await this.#sleepUntilQueued(scope);
      }
    } finally {
      this.#ended = true;
      this.#queue.length = 0;
      this.#tellIdle();
    }
  }

  async #handle(scope: Scope, notice: EventNotice): Promise<void> {
    this.#busy = true;
    try {
      await this.#correlate(scope, notice);
    } finally {
      this.#busy = false;
    }
  }

  async #sleepUntilQueued(scope: Scope): Promise<void> {
    this.#tellIdle();
    await scope.race((resolve) => {
      this.#wake = resolve;
      return undefined;
    });
    this.#wake = undefined;
  }

  #tellIdle(): void {
    for (const resolve of this.#idle) resolve();
    this.#idle.clear();
  }

  async #correlate(scope: Scope, original: EventNotice): Promise<void> {
    const { notice, key } = this.#aggregator.aggregate(original);
    const before = this.#sent.get(key);
    const event = before ? { ...before, count: before.count + 1 } : this.#firstOf(notice);
    this.#sent.set(key, event);
    if (this.#spamFilter.allows(notice)) await this.#sendWithRetries(scope, notice, event);
  }

  #firstOf(notice: EventNotice): SentEvent {
    // Wall time counts whole milliseconds here; the sequence keeps names apart within one.
    this.#sequence = (this.#sequence + 1n) % 1_000_000n;
    const nanoseconds = BigInt(Math.floor(notice.time)) * 1_000_000n + this.#sequence;
    return {
      namespace: eventNamespace(notice),
      name: eventName(notice, nanoseconds),
      count: 1,
      firstTime: notice.time,
    };
  }

  async #sendWithRetries(scope: Scope, notice: EventNotice, event: SentEvent): Promise<void> {
    const { random } = this.#options;
    for (let tries = 1; ; tries++) {
      try {
        return await this.#send(scope, notice, event);
      } catch (thrown) {
        scope.throwIfCancelled();
        if (this.#isFinal(thrown, notice, tries)) return;
      }
      // All replicas lose the API server at the same moment: the first pause spreads them.
      await scope.sleep(tries === 1 ? RETRY_MS * random() : RETRY_MS);
    }
  }

  /** The API server has decided; only when it was not reached can another try help. */
  #isFinal(thrown: unknown, { reason }: EventNotice, tries: number): boolean {
    // An earlier try got through, though its answer did not.
    if (thrown instanceof StatusError && thrown.isAlreadyExists) return true;
    const final = thrown instanceof StatusError || tries >= MAX_TRIES;
    this.#options.log.error(final ? 'Unable to write event' : 'Unable to write event (retrying)', thrown, { reason });
    return final;
  }

  async #send(scope: Scope, notice: EventNotice, event: SentEvent): Promise<void> {
    if (event.count > 1 && (await this.#patch(scope, notice, event))) return;
    await this.#options.client.events.create(scope, event.namespace, eventBody(notice, event, this.#options.source));
  }

  /** @returns false if the event has expired in the API server. */
  async #patch(scope: Scope, notice: EventNotice, event: SentEvent): Promise<boolean> {
    try {
      await this.#options.client.events.patch(scope, event, strategicPatch(eventPatch(notice, event)));
      return true;
    } catch (thrown) {
      if (thrown instanceof StatusError && thrown.isNotFound) return false;
      throw thrown;
    }
  }
}
