import type { Clock } from '@cloudstack-ccm/base';
import { expired } from '../errors.ts';
import type { WatchFault } from '../faults/fault.ts';
import type { LiveWatches } from '../faults/live-watches.ts';
import type { Answer } from '../http/answer.ts';
import { Pacer } from '../http/pacer.ts';
import type { Resource } from '../kinds/resource.ts';
import type { Collection } from '../store/collection.ts';
import { CompactedError } from '../store/errors.ts';
import type { Store } from '../store/store.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { isSelected, type ListOptions, readRevision } from './list-options.ts';
import type { Representation } from './negotiation.ts';
import { WatchEncoder } from './watch-encoder.ts';
import { eventFor } from './watch-events.ts';
import { WatchLines } from './watch-lines.ts';
import { Wakeup } from './wakeup.ts';

/** A watch that does not say how long it wants to be: at least this long, at most twice. */
const MIN_TIMEOUT_S = 1800;

export interface WatchContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: () => number;
  readonly bookmarkIntervalMs: number;
  readonly watches: LiveWatches;
}

export interface WatchRequest {
  readonly resource: Resource;
  readonly options: ListOptions;
  readonly answer: Answer;
  readonly representation: Representation;
  readonly fault: WatchFault | undefined;
}

/** Answers a watch until its time is over, the client leaves, or history has been compacted away under it. */
export async function serveWatch(context: WatchContext, request: WatchRequest): Promise<void> {
  const asked = readRevision(request.options.resourceVersion);
  await new Watch(context, request).run(asked);
}

class Watch {
  readonly #context: WatchContext;
  readonly #request: WatchRequest;
  readonly #collection: Collection;
  readonly #lines: WatchLines;
  readonly #encoder: WatchEncoder;
  readonly #pacer = new Pacer();
  readonly #wakeup = new Wakeup();
  /** Everything up to here has been told. */
  #revision = 0;
  #over = false;
  #bookmarkDue = false;

  constructor(context: WatchContext, request: WatchRequest) {
    const { resource, representation, answer, fault } = request;
    this.#context = context;
    this.#request = request;
    this.#collection = context.store.collection(resource.name);
    this.#lines = new WatchLines(answer.outlet, fault);
    this.#encoder = new WatchEncoder(resource, representation, context.clock);
  }

  async run(asked: number): Promise<void> {
    const { answer } = this.#request;
    answer.open(200, 'application/json', { 'transfer-encoding': 'chunked' });
    answer.outlet.flushHead();
    const undos = this.#listen();
    try {
      await this.#start(asked);
      await this.#follow();
    } catch (thrown) {
      if (!(thrown instanceof CompactedError)) throw thrown;
      await this.#lines.fail(expired(`too old resource version: ${thrown.asked} (${thrown.oldest})`).body);
    } finally {
      for (const undo of undos) undo();
    }
    answer.outlet.end();
  }

  /** Everything that wakes the watch. Returns what ends the listening. */
  #listen(): (() => void)[] {
    const { clock, watches } = this.#context;
    const { resource, answer } = this.#request;
    const finish = (): void => {
      this.#over = true;
      this.#wakeup.ring();
    };
    answer.outlet.onClose(finish);
    const timeout = clock.setTimer(this.#timeoutMs(), finish);
    return [
      () => timeout.cancel(),
      this.#scheduleBookmarks(),
      this.#collection.onChange(() => this.#wakeup.ring()),
      watches.add({ resource: resource.name, drop: () => answer.outlet.destroy(), expire: () => this.#expire() }),
    ];
  }

  #timeoutMs(): number {
    const { timeoutSeconds } = this.#request.options;
    return 1000 * (timeoutSeconds > 0 ? timeoutSeconds : MIN_TIMEOUT_S * (1 + this.#context.random()));
  }

  #scheduleBookmarks(): () => void {
    const { clock, bookmarkIntervalMs } = this.#context;
    if (!this.#request.options.allowWatchBookmarks) return () => undefined;
    const due = (): void => {
      this.#bookmarkDue = true;
      timer = clock.setTimer(bookmarkIntervalMs, due);
      this.#wakeup.ring();
    };
    let timer = clock.setTimer(bookmarkIntervalMs, due);
    return () => timer.cancel();
  }

  /** Without a version to start from, a watch begins with everything that is there. */
  async #start(asked: number): Promise<void> {
    const { options } = this.#request;
    if (asked > 0 && !options.sendInitialEvents) {
      this.#revision = asked;
      return;
    }
    const objects = this.#collection.list();
    this.#revision = this.#context.store.revision;
    for (const object of objects) {
      if (this.#isOver) return;
      if (isSelected(options.selection, object)) await this.#send('ADDED', object);
    }
    if (options.sendInitialEvents && options.allowWatchBookmarks) {
      await this.#bookmark({ 'k8s.io/initial-events-end': 'true' });
    }
  }

  async #follow(): Promise<void> {
    while (!this.#isOver) {
      const changes = this.#collection.changesSince(this.#revision);
      for (const change of changes) {
        if (this.#isOver) return;
        const event = eventFor(change, this.#request.options.selection);
        if (event) await this.#send(event.type, event.object);
        this.#revision = change.object.revision;
      }
      if (changes.length === 0) await this.#idle();
    }
  }

  /** Nothing is left to tell: now a bookmark is true. */
  async #idle(): Promise<void> {
    if (!this.#bookmarkDue) return this.#wakeup.wait();
    this.#bookmarkDue = false;
    this.#revision = this.#context.store.revision;
    await this.#bookmark({});
  }

  async #send(type: string, object: StoredObject): Promise<void> {
    await this.#lines.event(type, ...this.#encoder.object(object));
    await this.#pacer.pause();
  }

  async #bookmark(annotations: Readonly<Record<string, string>>): Promise<void> {
    await this.#lines.event('BOOKMARK', '', JSON.stringify(this.#encoder.bookmark(this.#revision, annotations)));
  }

  #expire(): void {
    const { body } = expired('The resourceVersion for the provided watch is too old.');
    void this.#lines.fail(body).then(() => this.#wakeup.ring());
  }

  get #isOver(): boolean {
    return this.#over || this.#lines.over;
  }
}
