import { Reader } from './decode.ts';
import { DecodeError } from './errors.ts';
import { decodeStatus } from './transport/status.ts';

/** One event of a watch. A bookmark tells only how far the watch has come. */
export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

/** Marks the bookmark after which a streamed list is complete. */
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/** @throws DecodeError, or the StatusError that an `ERROR` event carries. */
export function decodeWatchEvent<T>(value: unknown, decode: (value: unknown) => T): WatchEvent<T> {
  const event = Reader.of(value, 'a watch event');
  const type = event.string('type');
  const { raw } = event.object('object');
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type, object: decode(raw) };
    case 'BOOKMARK':
      return decodeBookmark(event.object('object').object('metadata'));
    case 'ERROR':
      throw decodeStatus(raw);
    default:
      throw new DecodeError(`a watch event has the unknown type ${JSON.stringify(type)}`);
  }
}

function decodeBookmark(metadata: Reader): WatchEvent<never> {
  return {
    type: 'BOOKMARK',
    resourceVersion: metadata.string('resourceVersion'),
    initialEventsEnd: metadata.stringMap('annotations')[INITIAL_EVENTS_END] === 'true',
  };
}
