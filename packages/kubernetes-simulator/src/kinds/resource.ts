import type { JsonObject } from '../json.ts';
import type { StructSchema } from '../schema/schema.ts';
import type { TableRows } from '../table/table.ts';
import type { Strategy } from './strategy.ts';

/** One resource as one group and version serves it. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  /** `v1` or `events.k8s.io/v1`. */
  readonly groupVersion: string;
  /** The plural name in paths: `services`. */
  readonly name: string;
  readonly singular: string;
  readonly kind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly hasStatus: boolean;
  readonly schema: StructSchema;
  readonly strategy: Strategy;
  readonly table: TableRows;
  /** For a version that is not the stored one. */
  readonly conversion?: Conversion;
}

export interface Conversion {
  readonly fromStored: (object: JsonObject) => JsonObject;
  readonly toStored: (object: JsonObject) => JsonObject;
  /** The name in this version of a stored field to select by. */
  readonly servedField: (field: string) => string;
  /** The other way round. */
  readonly storedField: (field: string) => string;
}
