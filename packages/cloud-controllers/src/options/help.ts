import { describeFlags, type FlagGroup } from '@cloudstack-ccm/base';

import { FLAG_GROUPS } from './flags.ts';

const LONG =
  'The Cloud controller manager is a daemon that embeds the cloud specific control loops shipped with Kubernetes.';

/**
 * What `--help` prints.
 * @param columns width of the terminal; 0 for none.
 * @param extra groups of the program's own.
 */
export function helpText(columns = 0, extra: readonly FlagGroup[] = []): string {
  return `${LONG}\n\n${usageText(columns, extra)}`;
}

/** What precedes a message about a wrong command line. */
export function usageText(columns = 0, extra: readonly FlagGroup[] = []): string {
  return `Usage:\n  cloud-controller-manager [flags]\n${describeFlags([...FLAG_GROUPS, ...extra], columns)}`;
}
