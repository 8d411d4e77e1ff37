import type { Scope } from '@cloudstack-ccm/base';
import type { WatchEvent } from './watch-event.ts';

/** Which objects of a kind are meant. */
export interface Selection {
  /** Default: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface ListOptions extends Selection {
  /** Absent: the newest state. `0`: whatever the API server has at hand. Another: at least as new as that. */
  readonly resourceVersion?: string;
}

export interface ListPageOptions extends ListOptions {
  /** Objects per page; 0 means all at once. */
  readonly limit: number;
  /** From the page before. */
  readonly continueToken?: string;
}

/** A whole list, and the version to watch from. */
export interface ObjectList<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
}

export interface ListPage<T> extends ObjectList<T> {
  /** Empty on the last page. */
  readonly continueToken: string;
}

export interface WatchOptions extends Selection {
  /** Where to go on from; absent: the newest state. */
  readonly resourceVersion?: string;
  /** The server ends the watch after this many seconds. */
  readonly timeoutSeconds: number;
  /** Ask for the objects that exist first, ended by a bookmark with `initialEventsEnd` (WatchList). */
  readonly sendInitialEvents?: boolean;
}

/** What a reflector needs of a client: anything that lists and watches will do. */
export interface ListWatch<T> {
  readonly kind: { readonly plural: string };
  listPage(scope: Scope, options: ListPageOptions): Promise<ListPage<T>>;
  watch(scope: Scope, options: WatchOptions): AsyncIterable<WatchEvent<T>>;
}
