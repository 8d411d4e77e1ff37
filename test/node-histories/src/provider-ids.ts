/** The machine that a provider ID of ours names; empty for none. */
export function machineIdOf(providerId: string): string {
  return providerId.startsWith('kind:') ? '' : (providerId.split('/').at(-1) ?? '').toLowerCase();
}
