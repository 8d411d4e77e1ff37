import type { Domain } from '../state.ts';

/** The name of the pseudo account that owns a project's things. */
export function projectAccountName(project: string, domain: Domain | undefined): string {
  return `PrjAcct-${project}-${domain?.internalId ?? 1}`;
}
