import { describeFlags } from '@cloudstack-ccm/base';

import { FLAG_GROUPS } from './flags.ts';

const LONG =
  'The Cloud controller manager is a daemon that embeds the cloud specific control loops shipped with Kubernetes.';

/**
 * What `--help` prints, and what precedes a message about a wrong command line.
 * @param columns width of the terminal; 0 for none.
 */
export function helpText(columns = 0): string {
  return `${LONG}\n\n${usageText(columns)}`;
}

export function usageText(columns = 0): string {
  return `Usage:\n  cloud-controller-manager [flags]\n${describeFlags(FLAG_GROUPS, columns)}`;
}
