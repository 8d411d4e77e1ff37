import { type JsonObject, listAt, textAt, textsAt, valueAt } from '../json.ts';
import { AGE, ageCell, NAME, nameCell, orNone } from './format.ts';
import type { TableRows } from './table.ts';

const ROLE_PREFIX = 'node-role.kubernetes.io/';
const ROLE_LABEL = 'kubernetes.io/role';

export const nodeTable: TableRows = {
  columns: [
    NAME,
    { name: 'Status', description: 'Whether the node is ready' },
    { name: 'Roles', description: 'The roles that the labels of the node give it' },
    AGE,
    { name: 'Version', description: 'The version of the kubelet' },
    { name: 'Internal-IP', description: 'The first internal address', priority: 1 },
    { name: 'External-IP', description: 'The first external address', priority: 1 },
    { name: 'OS-Image', description: 'The operating system', priority: 1 },
    { name: 'Kernel-Version', description: 'The kernel and its architecture', priority: 1 },
    { name: 'Container-Runtime', description: 'The container runtime and its version', priority: 1 },
  ],
  cells: (node, now) => {
    const info = (key: string): string => textAt(node, 'status', 'nodeInfo', key);
    const architecture = info('architecture');
    const kernel = (info('kernelVersion') || '<unknown>') + (architecture && ` (${architecture})`);
    return [
      nameCell(node),
      statusOf(node),
      rolesOf(node),
      ageCell(node, now),
      info('kubeletVersion'),
      addressOf(node, 'InternalIP'),
      addressOf(node, 'ExternalIP'),
      info('osImage') || '<unknown>',
      kernel,
      info('containerRuntimeVersion') || '<unknown>',
    ];
  },
};

function statusOf(node: JsonObject): string {
  const ready = listAt(node, 'status', 'conditions').find((condition) => textAt(condition, 'type') === 'Ready');
  const state = ready === undefined ? 'Unknown' : textAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady';
  return valueAt(node, 'spec', 'unschedulable') === true ? `${state},SchedulingDisabled` : state;
}

function rolesOf(node: JsonObject): string {
  const labels = Object.entries(textsAt(node, 'metadata', 'labels'));
  const roles = labels.map(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX)) return key.slice(ROLE_PREFIX.length);
    return key === ROLE_LABEL ? value : '';
  });
  return orNone(
    [...new Set(roles)]
      .filter((role) => role !== '')
      .sort()
      .join(','),
  );
}

function addressOf(node: JsonObject, type: string): string {
  const found = listAt(node, 'status', 'addresses').find((address) => textAt(address, 'type') === type);
  return found === undefined ? '<none>' : textAt(found, 'address');
}
