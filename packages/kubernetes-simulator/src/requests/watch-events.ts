import type { Change, StoredObject } from '../store/stored-object.ts';
import { isSelected, type Selection } from './list-options.ts';

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: StoredObject;
}

/**
 * What a change means to one who sees only a selection: an object that starts to match appears, one that stops to
 * match is gone.
 */
export function eventFor({ type, object, previous }: Change, selection: Selection): WatchEvent | undefined {
  const was = previous !== undefined && isSelected(selection, previous);
  if (type === 'DELETED') return was ? { type, object } : undefined;
  const is = isSelected(selection, object);
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', object };
  return was ? { type: 'DELETED', object: atRevision(previous, object.revision) } : undefined;
}

/** The version that matched last, under the revision at which it stopped to. */
function atRevision(stored: StoredObject, revision: number): StoredObject {
  const text = stored.bytes
    .toString()
    .replace(`"resourceVersion":"${stored.revision}"`, `"resourceVersion":"${revision}"`);
  return { ...stored, revision, bytes: Buffer.from(text) };
}
