import { Reader } from '../decode.ts';
import type { KubernetesObject, ObjectMeta } from './metadata.ts';

/** One kind of object: where the API server serves it, and how its answers become typed values. */
export interface Kind<T> {
  /** `v1`, or `<group>/<version>`. */
  readonly apiVersion: string;
  readonly kind: string;
  /** As in the URL. */
  readonly plural: string;
  readonly namespaced: boolean;
  /** Fields, at any depth, that are large and that `decode` does not read: lists and watches skip them unparsed. */
  readonly unread?: readonly string[];
  /** Keeps only the fields of T, so that what the API server sent can be freed. @throws DecodeError */
  readonly decode: (value: unknown) => T;
}

/** Makes the decoder of a kind from what reads its fields beside `metadata`. */
export function kind<T extends KubernetesObject>(
  place: Omit<Kind<T>, 'decode'>,
  read: (object: Reader, metadata: ObjectMeta) => T,
): Kind<T> {
  return {
    ...place,
    decode: (value) => {
      const object = Reader.of(value, place.kind);
      return read(object, readMetadata(object.object('metadata')));
    },
  };
}

function readMetadata(metadata: Reader): ObjectMeta {
  const deletionTimestamp = metadata.optionalString('deletionTimestamp');
  return {
    name: metadata.string('name'),
    namespace: metadata.string('namespace'),
    uid: metadata.string('uid'),
    resourceVersion: metadata.string('resourceVersion'),
    creationTimestamp: metadata.string('creationTimestamp'),
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    labels: metadata.stringMap('labels'),
    annotations: metadata.stringMap('annotations'),
    finalizers: metadata.strings('finalizers'),
  };
}

/** The field, or nothing at all when it is undefined: for optional members under exactOptionalPropertyTypes. */
export function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]: V });
}
