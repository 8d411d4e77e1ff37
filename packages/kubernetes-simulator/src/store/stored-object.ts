import type { JsonObject } from '../json.ts';

/**
 * One version of one object. The JSON is kept as bytes, as etcd does: lists and watches send it without parsing,
 * nobody can change it by accident, and thousands of large objects do not burden the garbage collector.
 */
export interface StoredObject {
  /** `namespace/name`, or the name alone. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly revision: number;
  /** The JSON without kind and apiVersion; never empty, so it always starts with `{"`. */
  readonly bytes: Buffer;
  readonly labels: Readonly<Record<string, string>>;
  /** What field selectors can ask for. */
  readonly fields: Readonly<Record<string, string>>;
  /** Things that only one object can have at a time: cluster IPs and node ports. */
  readonly claims: readonly string[];
}

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The new version; for DELETED the last one, under the revision of the deletion. */
  readonly object: StoredObject;
  readonly previous: StoredObject | undefined;
}

/** The object, parsed anew at each call. */
export function parseStored({ bytes }: StoredObject): JsonObject {
  return JSON.parse(bytes.toString()) as JsonObject;
}

export function keyOf(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}
