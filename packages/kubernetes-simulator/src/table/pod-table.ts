import { type JsonObject, listAt, numberAt, textAt, textsAt, valueAt } from '../json.ts';
import { AGE, ageCell, formatLabels, NAME, nameCell, orNone } from './format.ts';
import type { TableRows } from './table.ts';

export const podTable: TableRows = {
  columns: [
    NAME,
    { name: 'Ready', description: 'Ready containers of all containers' },
    { name: 'Status', description: 'What the containers are doing' },
    { name: 'Restarts', description: 'How often containers were started anew' },
    AGE,
    { name: 'IP', description: 'The address of the pod', priority: 1 },
    { name: 'Node', description: 'The node that runs the pod', priority: 1 },
    { name: 'Nominated Node', description: 'The node on which room is being made', priority: 1 },
    { name: 'Readiness Gates', description: 'Conditions beyond ready containers', priority: 1 },
  ],
  cells: (pod, now) => {
    const statuses = listAt(pod, 'status', 'containerStatuses');
    const ready = statuses.filter((status) => valueAt(status, 'ready') === true).length;
    const restarts = statuses.reduce<number>((sum, status) => sum + numberAt(status, 'restartCount'), 0);
    return [
      nameCell(pod),
      `${ready}/${listAt(pod, 'spec', 'containers').length}`,
      statusOf(pod),
      String(restarts),
      ageCell(pod, now),
      orNone(textAt(pod, 'status', 'podIP')),
      orNone(textAt(pod, 'spec', 'nodeName')),
      orNone(textAt(pod, 'status', 'nominatedNodeName')),
      '<none>',
    ];
  },
};

function statusOf(pod: JsonObject): string {
  if (textAt(pod, 'metadata', 'deletionTimestamp') !== '') return 'Terminating';
  const reasons = listAt(pod, 'status', 'containerStatuses').map(
    (status) => textAt(status, 'state', 'waiting', 'reason') || textAt(status, 'state', 'terminated', 'reason'),
  );
  return reasons.find((reason) => reason !== '') ?? (textAt(pod, 'status', 'reason') || textAt(pod, 'status', 'phase'));
}

export const deploymentTable: TableRows = {
  columns: [
    NAME,
    { name: 'Ready', description: 'Ready replicas of wanted replicas' },
    { name: 'Up-to-date', description: 'Replicas of the newest template' },
    { name: 'Available', description: 'Replicas that have been ready for long enough' },
    AGE,
    { name: 'Containers', description: 'The containers of the template', priority: 1 },
    { name: 'Images', description: 'The images of the template', priority: 1 },
    { name: 'Selector', description: 'The labels of the pods', priority: 1 },
  ],
  cells: (deployment, now) => {
    const status = (key: string): number => numberAt(deployment, 'status', key);
    const containers = listAt(deployment, 'spec', 'template', 'spec', 'containers');
    return [
      nameCell(deployment),
      `${status('readyReplicas')}/${numberAt(deployment, 'spec', 'replicas')}`,
      status('updatedReplicas'),
      status('availableReplicas'),
      ageCell(deployment, now),
      containers.map((container) => textAt(container, 'name')).join(','),
      containers.map((container) => textAt(container, 'image')).join(','),
      selectorOf(deployment),
    ];
  },
};

function selectorOf(deployment: JsonObject): string {
  return formatLabels(textsAt(deployment, 'spec', 'selector', 'matchLabels'));
}
