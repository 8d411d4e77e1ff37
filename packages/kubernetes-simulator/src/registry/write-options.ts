import type { Resource } from '../kinds/resource.ts';

/** How a write is to be done. */
export interface WriteOptions {
  /** Check everything, change nothing. */
  readonly dryRun: boolean;
  /** Who gets to own the fields. */
  readonly fieldManager: string;
}

/** What a write did. */
export interface Written<T> {
  readonly object: T;
  /** True if the object came into being. */
  readonly created: boolean;
  /** True if the store changed. */
  readonly changed: boolean;
}

/** Top-level fields that requests to a resource or subresource cannot change. */
export function resetFieldsOf({ hasStatus }: Resource, subresource: string): readonly string[] {
  if (subresource === 'status') return ['spec'];
  return hasStatus ? ['status'] : [];
}
