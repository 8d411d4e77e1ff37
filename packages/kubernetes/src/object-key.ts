import { InvalidInputError } from '@cloudstack-ccm/base';
import type { KubernetesObject, ObjectName } from './objects/metadata.ts';

/** `namespace/name`, or the name alone for what has no namespace: what queues and stores call an object. */
export function keyOf({ metadata }: KubernetesObject): string {
  return keyOfName(metadata);
}

export function keyOfName({ namespace = '', name }: ObjectName): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** @throws InvalidInputError for a key with more than one slash. */
export function splitKey(key: string): Required<ObjectName> {
  const parts = key.split('/');
  const [first = '', second] = parts;
  if (parts.length > 2) throw new InvalidInputError(`unexpected key format: ${JSON.stringify(key)}`);
  return second === undefined ? { namespace: '', name: first } : { namespace: first, name: second };
}
