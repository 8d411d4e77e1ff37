import type { Notice } from '@cloudstack-ccm/cloud-controllers';
import type { VirtualMachine } from '@cloudstack-ccm/cloudstack-client';
import type { NodeOptions } from '../cloud-config/node-options.ts';
import { isLabelKey, labelValue } from './label-values.ts';

const HOST = 'topology.cloudstack.apache.org/host';
const AFFINITY_GROUP = 'topology.cloudstack.apache.org/affinity-group';

export interface AdditionalLabels {
  readonly labels: Readonly<Record<string, string>>;
  readonly notices: readonly Notice[];
}

/** The labels that an administrator chose beyond type, zone and region. What cannot be one becomes a notice. */
export function additionalLabelsOf(machine: VirtualMachine, options: NodeOptions): AdditionalLabels {
  const { hostLabel, affinityGroupLabel } = options;
  const groups = machine.affinityGroups.map(labelValue).toSorted().join('.');
  const labels = {
    ...tagLabels(machine, options),
    ...(hostLabel && { [HOST]: labelValue(machine.hypervisorName ?? '') }),
    ...(affinityGroupLabel && { [AFFINITY_GROUP]: labelValue(groups) }),
  };
  const unusable = tagsThatCount(machine, options).filter(({ key, value }) => !usable(key, value));
  return { labels: withoutEmpty(labels), notices: unusable.map(({ key }) => notALabel(key)) };
}

function tagLabels(machine: VirtualMachine, options: NodeOptions): Readonly<Record<string, string>> {
  const tags = tagsThatCount(machine, options).filter(({ key, value }) => usable(key, value));
  return Object.fromEntries(tags.map(({ key, value }) => [key, labelValue(value)]));
}

/** In an order of their own: CloudStack's means nothing. */
function tagsThatCount({ tags }: VirtualMachine, { tagLabelPrefixes }: NodeOptions): VirtualMachine['tags'] {
  return tags
    .filter(({ key }) => tagLabelPrefixes.some((prefix) => key.startsWith(prefix)))
    .toSorted((left, right) => (left.key < right.key ? -1 : 1));
}

function usable(key: string, value: string): boolean {
  return isLabelKey(key) && (value === '' || labelValue(value) !== '');
}

/** Host and groups that are unknown give no label; a tag may well have no value. */
function withoutEmpty(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const kept = Object.entries(labels).filter(
    ([key, value]) => value !== '' || (key !== HOST && key !== AFFINITY_GROUP),
  );
  return Object.fromEntries(kept);
}

function notALabel(key: string): Notice {
  const message = `No label for the tag "${key}" of the virtual machine: its key or its value cannot be one. Use ASCII letters and digits, with - _ . between them.`;
  return { type: 'Warning', reason: 'TagNotALabel', message };
}
