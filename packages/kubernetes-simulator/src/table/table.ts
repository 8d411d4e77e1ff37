import { type JsonObject, type JsonValue, objectAt } from '../json.ts';

/** A column of server-side printing. kubectl shows those of priority 1 only with `-o wide`. */
export interface Column {
  readonly name: string;
  readonly description: string;
  readonly type?: 'string' | 'date';
  readonly format?: 'name';
  readonly priority?: 0 | 1;
}

/** How the objects of one resource are printed. */
export interface TableRows {
  readonly columns: readonly Column[];
  readonly cells: (object: JsonObject, now: number) => readonly JsonValue[];
}

/** What a row says of its object besides the cells. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

export function tableHeader(
  resourceVersion: string,
  { columns }: TableRows,
  listMetadata: JsonObject = {},
): JsonObject {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion, ...listMetadata },
    columnDefinitions: columns.map(columnDefinition),
  };
}

export function tableRow(object: JsonObject, cells: readonly JsonValue[], include: IncludeObject): JsonObject {
  return { cells, object: included(object, include) };
}

/** An object reduced to its metadata. */
export function partialMetadata(object: JsonObject): JsonObject {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: objectAt(object, 'metadata'),
  };
}

function included(object: JsonObject, include: IncludeObject): JsonValue {
  if (include === 'None') return null;
  return include === 'Object' ? object : partialMetadata(object);
}

function columnDefinition({ name, description, type = 'string', format, priority = 0 }: Column): JsonObject {
  return { name, type, format: format ?? '', description, priority };
}
