import type { JsonObject } from '../json.ts';
import type { Resource } from '../kinds/resource.ts';
import { render } from '../registry/registry.ts';
import { parseStored, type StoredObject } from '../store/stored-object.ts';
import { type IncludeObject, partialMetadata, tableHeader, tableRow } from '../table/table.ts';
import type { Representation } from './negotiation.ts';

/** One object in the form that the client wants. */
export function represent(
  resource: Resource,
  stored: StoredObject,
  representation: Representation,
  now: number,
): JsonObject {
  switch (representation.form) {
    case 'object':
      return render(resource, stored);
    case 'metadata':
      return partialMetadata(render(resource, stored));
    case 'table':
      return {
        ...tableHeader(String(stored.revision), resource.table),
        rows: [row(resource, stored, representation.include, now)],
      };
  }
}

/** One row of a table. Columns are made of the stored version; what goes with them is in the resource's. */
export function row(resource: Resource, stored: StoredObject, include: IncludeObject, now: number): JsonObject {
  const cells = resource.table.cells(parseStored(stored), now);
  return tableRow(render(resource, stored), cells, include);
}

/** The bytes of an object with kind and apiVersion: no parsing where the stored version is the wanted one. */
export function objectBytes(resource: Resource, stored: StoredObject): readonly [head: string, rest: Buffer] {
  const { kind, groupVersion, conversion } = resource;
  if (conversion) return ['', Buffer.from(JSON.stringify(render(resource, stored)))];
  return [`{"kind":"${kind}","apiVersion":"${groupVersion}",`, stored.bytes.subarray(1)];
}
