/** A change to an object, in one of the three languages the API server reads. */
export type Patch =
  | { readonly type: 'merge' | 'strategic'; readonly body: Readonly<Record<string, unknown>> }
  | { readonly type: 'json'; readonly body: readonly JsonPatchOperation[] };

export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'test' | 'move' | 'copy';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

const CONTENT_TYPES: Readonly<Record<Patch['type'], string>> = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
};

export function contentTypeOf({ type }: Patch): string {
  return CONTENT_TYPES[type];
}

/** RFC 7386: objects merge, everything else is replaced, null removes. */
export function mergePatch(body: Readonly<Record<string, unknown>>): Patch {
  return { type: 'merge', body };
}

/** Kubernetes' own: as a merge patch, but lists with a merge key merge too, and `$patch` directives apply. */
export function strategicPatch(body: Readonly<Record<string, unknown>>): Patch {
  return { type: 'strategic', body };
}

/** RFC 6902: operations in order, all or none. */
export function jsonPatch(body: readonly JsonPatchOperation[]): Patch {
  return { type: 'json', body };
}
