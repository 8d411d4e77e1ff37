import type { Decode } from '../decode.ts';

/*
 * Commands are data: what a command is called, where its result lies in the answer and how to read it. `Caller` turns
 * them into functions. `Params` is carried in the type only.
 */

/** A command that lists. All pages are read. */
export interface ListCommand<P, T> {
  readonly command: string;
  /** The key of the items inside the envelope. */
  readonly items: string;
  readonly decode: Decode<T>;
  /** True if it takes `projectid`: the project of the client is then sent along. */
  readonly takesProject: boolean;
  /** False where the server ignores paging. */
  readonly paged: boolean;
  /** True where the server's `count` is known to be exact, so that a shorter list is an error. */
  readonly exactCount: boolean;
  /** What makes an item the same on two pages. */
  readonly identify: (item: T) => string;
  readonly params?: P;
}

/** A command whose result comes with an async job. */
export interface JobCommand<P, T> {
  readonly command: string;
  readonly takesProject: boolean;
  /** Reads the result of the job, which is `{<key>: <object>}` or `{success: true}`. */
  readonly decode: Decode<T>;
  readonly params?: P;
}

interface Listing<T> {
  readonly command: string;
  readonly items: string;
  readonly decode: Decode<T>;
  readonly takesProject?: boolean;
  readonly paged?: boolean;
  readonly exactCount?: boolean;
  readonly identify: (item: T) => string;
}

export function listCommand<P, T>(listing: Listing<T>): ListCommand<P, T> {
  return { takesProject: false, paged: true, exactCount: false, ...listing };
}

interface Writing<T> {
  readonly command: string;
  readonly takesProject?: boolean;
  readonly decode: Decode<T>;
}

export function jobCommand<P, T>(writing: Writing<T>): JobCommand<P, T> {
  return { takesProject: false, ...writing };
}

/** For lists of things with ids. */
export function byId(item: { readonly id: string }): string {
  return item.id;
}
