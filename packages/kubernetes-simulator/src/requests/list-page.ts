import { ApiError, badRequest, resourceVersionTooLarge } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { Resource } from '../kinds/resource.ts';
import type { Collection } from '../store/collection.ts';
import { decodeContinueToken, encodeContinueToken } from '../store/continue-token.ts';
import { CompactedError } from '../store/errors.ts';
import type { Store } from '../store/store.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { isSelected, type ListOptions, readRevision } from './list-options.ts';

/** One answer's share of a list. */
export interface ListPage {
  readonly items: readonly StoredObject[];
  readonly metadata: JsonObject;
}

/** Stands for "whatever is there now" in the token that goes with an expired one. */
const LATEST = -1;

/** @throws ApiError Expired when history no longer has what is asked for; Timeout for a version of the future. */
export function readPage(store: Store, resource: Resource, options: ListOptions): ListPage {
  const { revision, start, objects } = snapshot(store, store.collection(resource.name), options);
  const selected = objects.filter((object) => object.key > start && isSelected(options.selection, object));
  const { limit, selection } = options;
  const items = limit > 0 ? selected.slice(0, limit) : selected;
  const left = selected.length - items.length;
  const last = items.at(-1);
  const isWhole = selection.labels.length === 0 && selection.fields.length === 0;
  return {
    items,
    metadata: {
      resourceVersion: String(revision),
      ...(left > 0 && last && { continue: encodeContinueToken({ rv: revision, start: last.key }) }),
      ...(left > 0 && isWhole && { remainingItemCount: left }),
    },
  };
}

interface Snapshot {
  readonly revision: number;
  /** The key after which the page begins. */
  readonly start: string;
  readonly objects: readonly StoredObject[];
}

function snapshot(store: Store, collection: Collection, options: ListOptions): Snapshot {
  if (options.continue !== '') return continued(store, collection, options.continue);
  const asked = listRevision(options.resourceVersion);
  if (asked > store.revision) throw resourceVersionTooLarge(asked, store.revision);
  if (options.resourceVersionMatch !== 'Exact')
    return { revision: store.revision, start: '', objects: collection.list() };
  const objects = orExpired(() => collection.listAt(asked), 'The resourceVersion for the provided list is too old.');
  return { revision: asked, start: '', objects };
}

function continued(store: Store, collection: Collection, text: string): Snapshot {
  const { rv, start } = decodeContinueToken(text);
  const revision = rv === LATEST ? store.revision : rv;
  const message =
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';
  const metadata = { continue: encodeContinueToken({ rv: LATEST, start }) };
  return { revision, start, objects: orExpired(() => collection.listAt(revision), message, metadata) };
}

function orExpired<T>(read: () => T, message: string, metadata: JsonObject = {}): T {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof CompactedError) throw new ApiError(410, 'Expired', message, undefined, metadata);
    throw thrown;
  }
}

function listRevision(text: string): number {
  try {
    return readRevision(text);
  } catch (thrown) {
    throw badRequest(`invalid resource version: ${thrown instanceof Error ? thrown.message : ''}`);
  }
}
