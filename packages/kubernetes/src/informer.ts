import { asError, type Logger, type Scope, Tasks } from '@cloudstack-ccm/base';
import type { ListWatch, Selection } from './list-watch.ts';
import { Lister } from './lister.ts';
import { keyOf } from './object-key.ts';
import type { KubernetesObject } from './objects/metadata.ts';
import { Reflector } from './reflector.ts';
import { type Indexes, Store } from './store.ts';

/** Told about changes in order. Handlers only take note (enqueue a key): they must not wait. */
export interface InformerHandler<T> {
  /** @param initial true for what was there when the handler began to listen. */
  added?(object: T, initial: boolean): void;
  /** At a resync both are the same object. */
  updated?(before: T, after: T): void;
  /** @param tombstone true if the deletion itself was missed: `last` may then be older than the object's last state. */
  deleted?(last: T, tombstone: boolean): void;
}

export interface HandlerOptions {
  /** Tells the handler about every object again, as an update, each time so many milliseconds have passed. Default: never. */
  readonly resyncMs?: number;
}

export interface HandlerRegistration {
  /** True once the handler has been told about everything that was there at first. */
  hasSynced(): boolean;
  remove(): void;
}

export interface InformerOptions<T> extends Selection {
  readonly log: Logger;
  /** Besides the key: functions that name the values under which `lister.byIndex` finds an object. */
  readonly indexes?: Indexes<T>;
  /** See ReflectorOptions. */
  readonly onFailure?: (error: unknown) => void;
  /** See ReflectorOptions. */
  readonly idleMs?: number;
  readonly random?: () => number;
}

interface Listener<T> {
  readonly handler: InformerHandler<T>;
  readonly resyncMs: number | undefined;
}

/** A local copy of all objects of a kind that follows the API server, and tells handlers what changes. */
export class Informer<T extends KubernetesObject> {
  readonly lister: Lister<T>;
  readonly #name: string;
  readonly #log: Logger;
  readonly #store: Store<T>;
  readonly #reflector: Reflector<T>;
  readonly #listeners = new Set<Listener<T>>();
  readonly #waiting = new Set<() => void>();
  #tasks: Tasks | undefined;
  #synced = false;

  constructor(source: ListWatch<T>, options: InformerOptions<T>) {
    const { log, indexes, idleMs, random, onFailure, ...selection } = options;
    this.#name = source.kind.plural;
    this.#log = log;
    this.#store = new Store(indexes);
    this.lister = new Lister(this.#store);
    this.#reflector = new Reflector({
      source,
      selection,
      log,
      sink: {
        replace: (objects) => this.#replace(objects),
        changed: (object) => this.#changed(object, false),
        deleted: (object) => this.#deleted(keyOf(object), object, false),
      },
      ...(idleMs !== undefined && { idleMs }),
      ...(random && { random }),
      ...(onFailure && { onFailure }),
    });
  }

  /** Handlers may come at any time; a late one is told about everything that is there. */
  addHandler(handler: InformerHandler<T>, { resyncMs }: HandlerOptions = {}): HandlerRegistration {
    const listener = { handler, resyncMs };
    for (const object of this.#store.values()) this.#tell(listener, (told) => told.added?.(object, true));
    this.#listeners.add(listener);
    this.#resync(listener);
    return { hasSynced: () => this.#synced, remove: () => void this.#listeners.delete(listener) };
  }

  /** Follows the API server until the scope ends. */
  start(scope: Scope): void {
    if (this.#tasks) throw new Error(`the informer of ${this.#name} was started twice`);
    this.#tasks = new Tasks(scope, this.#log);
    this.#tasks.spawn(`informer-${this.#name}`, (own) => this.#reflector.run(own));
    for (const listener of this.#listeners) this.#resync(listener);
  }

  /** True once the local copy has been complete, though it may lag behind now. */
  hasSynced(): boolean {
    return this.#synced;
  }

  /** @throws the scope's reason if it ends first. */
  async waitForSync(scope: Scope): Promise<void> {
    if (this.#synced) return;
    await scope.race((resolve) => {
      this.#waiting.add(resolve);
      return () => this.#waiting.delete(resolve);
    });
  }

  /** Resolves when all background work has ended, after the scope given to `start` has. */
  async stopped(): Promise<void> {
    await this.#tasks?.drain();
  }

  #replace(objects: readonly T[]): void {
    const present = new Set(objects.map((object) => keyOf(object)));
    for (const key of this.#store.keys()) {
      const last = this.#store.get(key);
      if (last !== undefined && !present.has(key)) this.#deleted(key, last, true);
    }
    for (const object of objects) this.#changed(object, !this.#synced);
    this.#markSynced();
  }

  #changed(object: T, initial: boolean): void {
    const before = this.#store.set(keyOf(object), object);
    if (before === undefined) this.#tellAll((handler) => handler.added?.(object, initial));
    else if (before.metadata.resourceVersion !== object.metadata.resourceVersion) {
      this.#tellAll((handler) => handler.updated?.(before, object));
    }
  }

  #deleted(key: string, last: T, tombstone: boolean): void {
    if (this.#store.delete(key) === undefined) return;
    this.#tellAll((handler) => handler.deleted?.(last, tombstone));
  }

  #markSynced(): void {
    if (this.#synced) return;
    this.#synced = true;
    this.#log.info('Caches are synced', { kind: this.#name, objects: this.#store.size });
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  #resync(listener: Listener<T>): void {
    const { resyncMs } = listener;
    if (resyncMs === undefined) return;
    this.#tasks?.spawn(`resync-${this.#name}`, async (scope) => {
      for (;;) {
        await scope.sleep(resyncMs);
        if (!this.#listeners.has(listener)) return;
        for (const object of this.#store.values()) {
          this.#tell(listener, (handler) => handler.updated?.(object, object));
        }
      }
    });
  }

  /** A copy of the listeners: one that is added by a handler is told on its own. */
  #tellAll(tell: (handler: InformerHandler<T>) => void): void {
    const listeners = [...this.#listeners];
    for (const listener of listeners) this.#tell(listener, tell);
  }

  /** An error of one handler must not keep others, or the store, from going on. */
  #tell({ handler }: Listener<T>, tell: (handler: InformerHandler<T>) => void): void {
    try {
      tell(handler);
    } catch (thrown) {
      this.#log.error('An informer handler failed', asError(thrown), { resource: this.#name });
    }
  }
}
