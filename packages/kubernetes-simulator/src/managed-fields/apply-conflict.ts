import { ApiError } from '../errors.ts';
import type { FieldSet, PathElement } from './field-set.ts';
import type { Owner } from './owners.ts';

export interface FieldConflict {
  readonly owner: Owner;
  readonly fields: FieldSet;
}

/** The error of an apply that would change what others own, in the API server's words. */
export function applyConflict(conflicts: readonly FieldConflict[]): ApiError {
  const causes = conflicts.flatMap(({ owner, fields }) =>
    pathsOf(fields).map((field) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${describeOwner(owner)}`,
      field,
    })),
  );
  return new ApiError(409, 'Conflict', messageFor(causes), { causes });
}

interface Cause {
  readonly message: string;
  readonly field: string;
}

function messageFor(causes: readonly Cause[]): string {
  const [first] = causes;
  if (causes.length === 1 && first) return `Apply failed with 1 conflict: ${first.message}: ${first.field}`;
  const byOwner = Map.groupBy(causes, ({ message }) => message.replace('conflict with', 'conflicts with'));
  const lines = [...byOwner]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([owner, fields]) => [`${owner}:`, ...fields.map(({ field }) => `- ${field}`)]);
  return `Apply failed with ${causes.length} conflicts: ${lines.join('\n')}`;
}

function describeOwner({ manager, operation, apiVersion, subresource }: Owner): string {
  const name = JSON.stringify(manager) + (subresource && ` with subresource ${JSON.stringify(subresource)}`);
  return operation === 'Apply' ? name : `${name} using ${apiVersion}`;
}

function pathsOf(fields: FieldSet): string[] {
  return fields
    .paths()
    .map((path) => path.map(describeElement).join(''))
    .sort();
}

/** `f:spec` is `.spec`, `k:{"port":80}` is `[port=80]`, `v:"x"` is `[="x"]`. */
function describeElement(element: PathElement): string {
  const rest = element.slice(2);
  if (element.startsWith('f:')) return `.${rest}`;
  if (element.startsWith('v:')) return `[=${rest}]`;
  if (!element.startsWith('k:')) return `[${rest}]`;
  const keys = Object.entries(JSON.parse(rest) as Record<string, unknown>);
  return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}]`;
}
