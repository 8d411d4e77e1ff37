/** What a node's `spec.providerID` says about its machine. */
export type ProviderId =
  | { readonly kind: 'none' }
  /** CloudStack's id, in lower case: ids are compared without regard to case. */
  | { readonly kind: 'machine'; readonly id: string }
  /** The node belongs to another system. */
  | { readonly kind: 'foreign'; readonly scheme: string }
  /** One of our schemes, but no id can be read from it. */
  | { readonly kind: 'malformed' };

const OURS = new Set(['external-cloudstack', 'cloudstack']);

/**
 * Reads every form that is in use: `external-cloudstack://<id>` (this project and the Go CCM), `cloudstack:///<id>`
 * (Cluster API), `cloudstack://<region>/<id>`, and the bare id.
 */
export function readProviderId(text: string): ProviderId {
  if (text === '') return { kind: 'none' };
  const [, scheme, rest = text] = /^([^:/]*):\/\/(.*)$/s.exec(text) ?? [];
  if (scheme !== undefined && !OURS.has(scheme.toLowerCase())) return { kind: 'foreign', scheme };
  const parts = rest.split('/');
  const id = (parts.at(-1) ?? '').toLowerCase();
  const wellFormed = /^[\w.-]+$/.test(id) && parts.length <= (scheme === undefined ? 1 : 2);
  return wellFormed ? { kind: 'machine', id } : { kind: 'malformed' };
}

/** The form that this project writes. */
export function writeProviderId(machineId: string): string {
  return `external-cloudstack://${machineId}`;
}
