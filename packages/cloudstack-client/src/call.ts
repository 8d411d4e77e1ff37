import type { Scope } from '@cloudstack-ccm/base';
import type { Params } from './params.ts';

/** One call of the API, before it is signed. */
export interface Call {
  /** For example `listZones`. */
  readonly command: string;
  readonly params: Params;
  /** True if it changes something in the cloud: it is sent by POST, and never twice unless that is certain to be safe. */
  readonly writes: boolean;
}

/**
 * Sends a call and resolves to what is inside the envelope of the answer. The core sends; everything else (retry,
 * rate limit, metrics, log, fence) is a decorator around it.
 * @throws CloudStackApiError, NotJsonError, TransportError, DeadlineExceededError, the scope's reason
 */
export type Dispatch = (scope: Scope, call: Call) => Promise<unknown>;

export type Decorator = (next: Dispatch) => Dispatch;

/** Puts decorators around a core: the first one is outermost. */
export function decorate(core: Dispatch, ...decorators: readonly Decorator[]): Dispatch {
  return decorators.reduceRight((next, decorator) => decorator(next), core);
}
