import { type Logger, messageOf, type Scope } from '@cloudstack-ccm/base';
import { StatusError, WatchStalledError } from './errors.ts';
import type { ListWatch, Selection, WatchOptions } from './list-watch.ts';
import { keyOf } from './object-key.ts';
import type { KubernetesObject } from './objects/metadata.ts';
import { listAll } from './paged-list.ts';
import { WatchBackoff } from './watch-backoff.ts';
import { Watchdog } from './watchdog.ts';
import type { WatchEvent } from './watch-event.ts';

/** What a reflector tells about the objects it follows, in order. */
interface ReflectorSink<T> {
  /** These are all objects there are. */
  replace(objects: readonly T[]): void;
  changed(object: T): void;
  /** @param object its last state. */
  deleted(object: T): void;
}

export interface ReflectorOptions<T> {
  readonly source: ListWatch<T>;
  readonly sink: ReflectorSink<T>;
  readonly selection?: Selection;
  readonly log: Logger;
  /** Told of each list or watch that fails; the reflector tries again. */
  readonly onFailure?: (error: unknown) => void;
  /** A watch that sends nothing, not even a bookmark, for so many milliseconds is cut. Default 120,000. */
  readonly idleMs?: number;
  /** Numbers in [0, 1). Default Math.random. */
  readonly random?: () => number;
}

/** The API server sends a bookmark about every minute, so two without one mean a dead connection. */
const IDLE_MS = 120_000;

/** The page size client-go uses. */
const PAGE_LIMIT = 500;

/** A watch that ends sooner than this without an event is not worth opening again at once. */
const SHORT_WATCH_MS = 1000;

/**
 * How the next full state is asked for: as a stream, or as a list; `list-once` when the stream has just failed for a
 * reason that may pass.
 */
type Mode = 'stream' | 'list-once' | 'list';

/**
 * Keeps a sink in step with the API server: a streamed list (WatchList) where the server has it, a list in pages
 * where not, then a watch; again and again, until its scope ends. It never gives up and never throws.
 */
export class Reflector<T extends KubernetesObject> {
  readonly #options: Required<ReflectorOptions<T>>;
  #mode: Mode = 'stream';
  /** The version the sink is at; undefined when the full state must be asked for. */
  #version: string | undefined;
  /** The newest version ever seen: a new full state must not be older. */
  #newest = '';
  /** The server no longer has, or does not yet have, the newest version we know: whatever it has now must do. */
  #forgotten = false;
  /** What a streamed list has brought so far. */
  #arriving: Map<string, T> | undefined;

  constructor(options: ReflectorOptions<T>) {
    this.#options = { selection: {}, idleMs: IDLE_MS, random: Math.random, onFailure: ignore, ...options };
  }

  /** Resolves when the scope has ended. */
  async run(scope: Scope): Promise<void> {
    const backoff = new WatchBackoff(scope.clock, this.#options.random);
    while (!scope.cancelled) {
      const goOn = await this.#round(scope);
      if (!goOn && !scope.cancelled) await scope.sleep(backoff.next()).catch(ignore);
    }
  }

  /** @returns true if the next round may follow without a pause. */
  async #round(scope: Scope): Promise<boolean> {
    try {
      if (this.#version === undefined && this.#mode !== 'stream') await this.#list(scope);
      return await this.#watch(scope);
    } catch (thrown) {
      return scope.cancelled || this.#learnFrom(thrown);
    }
  }

  async #list(scope: Scope): Promise<void> {
    const { source, sink, selection } = this.#options;
    const resourceVersion = this.#forgotten ? '' : this.#newest || '0';
    const list = await listAll((page) => source.listPage(scope, page), {
      ...selection,
      limit: PAGE_LIMIT,
      ...(resourceVersion !== '' && { resourceVersion }),
    });
    sink.replace(list.items);
    this.#reached(list.resourceVersion);
    if (this.#mode === 'list-once') this.#mode = 'stream';
  }

  /** Follows one watch to its end; it brings the full state first if there is none. */
  async #watch(scope: Scope): Promise<boolean> {
    const { source, idleMs } = this.#options;
    using watching = scope.child();
    const watchdog = new Watchdog(watching, idleMs, () => new WatchStalledError(source.kind.plural, idleMs));
    const startedAt = scope.clock.monotonic();
    this.#arriving = this.#version === undefined ? new Map() : undefined;
    let events = 0;
    try {
      for await (const event of source.watch(watching, this.#watchOptions())) {
        watchdog.sign();
        events++;
        this.#apply(event);
      }
    } finally {
      watchdog.stop();
    }
    return this.#version !== undefined && (events > 0 || scope.clock.monotonic() - startedAt >= SHORT_WATCH_MS);
  }

  /** The server ends watches after 5 to 10 minutes, not all at the same time. */
  #watchOptions(): WatchOptions {
    const { selection, random } = this.#options;
    const timeoutSeconds = 300 + Math.floor(300 * random());
    if (this.#version !== undefined) return { ...selection, timeoutSeconds, resourceVersion: this.#version };
    const resourceVersion = this.#forgotten ? '' : this.#newest;
    return {
      ...selection,
      timeoutSeconds,
      sendInitialEvents: true,
      ...(resourceVersion !== '' && { resourceVersion }),
    };
  }

  #apply(event: WatchEvent<T>): void {
    if (this.#arriving) return this.#collect(event, this.#arriving);
    const { sink } = this.#options;
    switch (event.type) {
      case 'ADDED':
      case 'MODIFIED':
        sink.changed(event.object);
        return this.#reached(event.object.metadata.resourceVersion);
      case 'DELETED':
        sink.deleted(event.object);
        return this.#reached(event.object.metadata.resourceVersion);
      case 'BOOKMARK':
        return this.#reached(event.resourceVersion);
    }
  }

  #collect(event: WatchEvent<T>, arriving: Map<string, T>): void {
    switch (event.type) {
      case 'ADDED':
      case 'MODIFIED':
        arriving.set(keyOf(event.object), event.object);
        return;
      case 'DELETED':
        arriving.delete(keyOf(event.object));
        return;
      case 'BOOKMARK':
        if (!event.initialEventsEnd) return;
        this.#arriving = undefined;
        this.#options.sink.replace([...arriving.values()]);
        this.#reached(event.resourceVersion);
    }
  }

  #reached(resourceVersion: string): void {
    this.#version = resourceVersion;
    this.#newest = resourceVersion;
    this.#forgotten = false;
  }

  /** @returns true if the next round may follow without a pause. */
  #learnFrom(thrown: unknown): boolean {
    const { log, source } = this.#options;
    const listing = this.#version === undefined;
    if (listing && this.#mode === 'stream' && cannotStream(thrown)) {
      this.#mode = thrown instanceof StatusError && thrown.isInvalid ? 'list' : 'list-once';
      log.debug(2, 'The streamed list failed, falling back to list and watch', {
        resource: source.kind.plural,
        err: messageOf(thrown),
      });
      return true;
    }
    if (isExpired(thrown)) {
      // A list at the version that only the watch has lost is still served, as "not older than".
      this.#forgotten ||= listing || tooLarge(thrown);
      this.#version = undefined;
    }
    this.#options.onFailure(thrown);
    log.warn('Failed to list or watch, trying again', { resource: source.kind.plural, err: messageOf(thrown) });
    return false;
  }
}

/** The server does not know streamed lists, or cannot serve them: etcd before 3.4.25 makes it answer 500. */
function cannotStream(thrown: unknown): boolean {
  if (thrown instanceof WatchStalledError) return true;
  return thrown instanceof StatusError && (thrown.isInvalid || thrown.isInternal);
}

function isExpired(thrown: unknown): boolean {
  return thrown instanceof StatusError && (thrown.isGone || tooLarge(thrown));
}

function tooLarge(thrown: unknown): boolean {
  return thrown instanceof StatusError && thrown.isTooLargeResourceVersion;
}

function ignore(): void {}
