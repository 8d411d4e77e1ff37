import type { Call } from '../call.ts';
import type { MapEntry } from '../parameter.ts';
import { resolveScope, type Scope, type ScopeValues } from '../scope.ts';
import { invalidValue } from '../api-error.ts';
import type { Row, Table } from '../table.ts';
import type { Owned } from '../state.ts';

interface Filter extends ScopeValues {
  readonly tags?: readonly MapEntry[] | undefined;
}

/** The rows of a table that the caller asked for and may see, by owner and tags, oldest first. */
export function scopedRows<R extends Row & Owned, I extends string>(
  call: Call,
  table: Table<R, I | 'accountId'>,
  values: Filter,
  scope: Scope = resolveScope(call, values),
): R[] {
  const rows = candidates(table, scope, values.id);
  const tagged = tagFilter(call, values.tags);
  return tagged ? rows.filter((row) => tagged.has(row.id)) : rows;
}

function candidates<R extends Row & Owned, I extends string>(
  table: Table<R, I | 'accountId'>,
  scope: Scope,
  id: string | undefined,
): R[] {
  if (id !== undefined) {
    const row = table.get(id);
    return row && scope.includes(row.accountId) ? [row] : [];
  }
  const { owners } = scope;
  if (!owners) return table.filter((row) => scope.includes(row.accountId));
  const found = owners.flatMap((owner) => table.by('accountId', owner));
  return owners.length > 1 ? found.sort((a, b) => a.internalId - b.internalId) : found;
}

/** Ids of what carries one of the tags asked for; undefined if none was. Several tags mean "any of them". */
export function tagFilter(call: Call, tags: readonly MapEntry[] | undefined): ReadonlySet<string> | undefined {
  if (!tags) return undefined;
  const wanted = new Set(tags.map(tagText));
  const found = call.state.tags.filter((tag) => wanted.has(`${tag.key}\n${tag.value}`.toLowerCase()));
  return new Set(found.map((tag) => tag.resourceId));
}

function tagText({ key = '', value }: MapEntry): string {
  if (value === undefined || value === '') throw invalidValue(`No value is passed in for key ${key}`);
  return `${key}\n${value}`.toLowerCase();
}
