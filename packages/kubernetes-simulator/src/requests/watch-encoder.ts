import type { Clock } from '@cloudstack-ccm/base';
import type { JsonObject } from '../json.ts';
import type { Resource } from '../kinds/resource.ts';
import { emptyObject } from '../schema/decode.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { tableHeader } from '../table/table.ts';
import type { Representation } from './negotiation.ts';
import { objectBytes, represent } from './representation.ts';

/** Writes the objects of a watch in the form that the client wants. */
export class WatchEncoder {
  readonly #resource: Resource;
  readonly #representation: Representation;
  readonly #clock: Clock;
  #isFirst = true;

  constructor(resource: Resource, representation: Representation, clock: Clock) {
    this.#resource = resource;
    this.#representation = representation;
    this.#clock = clock;
  }

  object(stored: StoredObject): readonly [head: string, rest: Buffer] {
    if (this.#representation.form === 'object') return objectBytes(this.#resource, stored);
    const shown = represent(this.#resource, stored, this.#representation, this.#clock.now());
    return ['', Buffer.from(JSON.stringify(this.#representation.form === 'table' ? this.#withColumns(shown) : shown))];
  }

  bookmark(revision: number, annotations: Readonly<Record<string, string>>): JsonObject {
    const { kind, groupVersion, schema, table } = this.#resource;
    const metadata = {
      resourceVersion: String(revision),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    };
    const object = { ...emptyObject(schema), kind, apiVersion: groupVersion, metadata };
    switch (this.#representation.form) {
      case 'object':
        return object;
      case 'metadata':
        return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
      case 'table':
        return this.#withColumns({ ...tableHeader(String(revision), table), rows: [{ cells: [], object }] });
    }
  }

  /** The columns stand in the first event only. */
  #withColumns(table: JsonObject): JsonObject {
    if (!this.#isFirst) return { ...table, columnDefinitions: null };
    this.#isFirst = false;
    return table;
  }
}
