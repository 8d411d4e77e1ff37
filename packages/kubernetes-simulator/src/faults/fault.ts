import type { Verb } from '../requests/request-info.ts';

/** Something that goes wrong with one request. */
export type Fault =
  /** The answer is an error. `retryAfterSeconds` goes into body and header. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterSeconds?: number; readonly message?: string }
  /** 410 Expired: on the page of a list, the client has to start the list anew. On a watch, before it opens. */
  | { readonly kind: 'expired' }
  /** The answer comes late, but it comes. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The connection stays open and nothing ever comes. */
  | { readonly kind: 'hang' }
  /** The connection breaks before the request is looked at. */
  | { readonly kind: 'reset' }
  /** The request takes effect, and the connection breaks before the answer. */
  | { readonly kind: 'resetAfterCommit' }
  /** The connection breaks within the body, after so many bytes. */
  | { readonly kind: 'cutBody'; readonly afterBytes: number }
  | WatchFault;

/** Something that happens to a watch once it has sent so many lines. */
export interface WatchFault {
  readonly kind: 'watch';
  readonly afterLines: number;
  /**
   * - `end`: the answer ends as at a timeout.
   * - `drop`: the connection breaks between two lines.
   * - `cutLine`: the connection breaks within the next line.
   * - `silence`: the connection stays open, and nothing more comes.
   * - `expire`: an ERROR event says 410 Expired, and the answer ends.
   */
  readonly ending: 'end' | 'drop' | 'cutLine' | 'silence' | 'expire';
}

/** When a fault strikes. What is left out matches everything. */
export interface FaultRule {
  readonly fault: Fault;
  readonly verb?: Verb | readonly Verb[];
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly user?: string;
  /** For lists: true for the second and later pages only, false for the first only. */
  readonly continued?: boolean;
  /** Matching requests that pass unharmed first. Default 0. */
  readonly skip?: number;
  /** How often it strikes before it is used up. Default 1; Infinity for always. */
  readonly times?: number;
}

/** A request as rules see it. */
export interface FaultSubject {
  readonly verb: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly user: string;
  readonly continued: boolean;
}
