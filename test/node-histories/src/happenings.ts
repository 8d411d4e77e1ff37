import type { FaultAction } from '@cloudstack-ccm/cloudstack-simulator';
import type { Fault } from '@cloudstack-ccm/kubernetes-simulator';
import type { Chance } from './chance.ts';
import type { Controller } from './controller.ts';
import type { Machine, Machines } from './machines.ts';
import type { NodeNow, Nodes } from './nodes.ts';

/** Everything that something can happen to. */
export interface Stage {
  readonly machines: Machines;
  readonly nodes: Nodes;
  readonly controller: Controller;
  readonly chance: Chance;
}

export interface Happening {
  readonly name: string;
  readonly weight: number;
  /** @returns what happened, for the story; undefined when there was nothing for it to happen to */
  readonly happen: (stage: Stage) => string | undefined | Promise<string | undefined>;
}

/** Whom it happens to is found first: nothing happens where there is nobody. */
function toMachine(
  name: string,
  weight: number,
  states: readonly string[],
  act: (stage: Stage, machine: Machine) => void,
): Happening {
  const happen = (stage: Stage): string | undefined => {
    const { machines, chance } = stage;
    const machine = chance.pick(machines.all.filter(({ id }) => states.includes(stateNow(machines, id))));
    if (!machine) return undefined;
    act(stage, machine);
    return `${name} ${machine.name} (${machine.id})`;
  };
  return { name, weight, happen };
}

function toNode(
  name: string,
  weight: number,
  which: (node: NodeNow) => boolean,
  act: (stage: Stage, node: NodeNow) => void,
): Happening {
  const happen = (stage: Stage): string | undefined => {
    const node = stage.chance.pick(stage.nodes.list().filter(which));
    if (!node) return undefined;
    act(stage, node);
    return `${name} ${node.name}`;
  };
  return { name, weight, happen };
}

/** A machine that was expunged has no state of its own any more. */
function stateNow(machines: Machines, id: string): string {
  return machines.simulator.state.virtualMachines.get(id)?.removed === undefined ? machines.state(id) : 'Removed';
}

/** The kubelet of a machine that has no power says nothing. */
function silence({ nodes, chance }: Stage, machine: Machine): void {
  const node = nodes.get(machine.name.toLowerCase());
  if (node && nodes.machineOf(node.uid)?.id === machine.id && chance.happens(0.8)) nodes.setReady(node.name, false);
}

/** All kubelets fall silent, as when the network between them and the API server breaks. */
function silenceAll({ nodes }: Stage): void {
  for (const { name } of nodes.list()) nodes.setReady(name, false);
}

const PROVIDER_IDS: readonly ((id: string) => string)[] = [
  () => '',
  () => '',
  (id) => `external-cloudstack://${id}`,
  (id) => `cloudstack:///${id}`,
  (id) => `cloudstack://region/${id.toUpperCase()}`,
  (id) => id,
];

export function joinWithSomeId({ nodes, chance }: Stage, machine: Machine): void {
  const form = chance.pick(PROVIDER_IDS);
  nodes.join(machine, form ? form(machine.id) : '');
}

const machineLife: readonly Happening[] = [
  toMachine('stop', 3, ['Running'], (stage, machine) => {
    stage.machines.setState(machine.id, stage.chance.happens(0.3) ? 'Stopping' : 'Stopped');
    silence(stage, machine);
  }),
  toMachine('come to a stop', 3, ['Stopping'], ({ machines }, { id }) => machines.setState(id, 'Stopped')),
  toMachine('start', 4, ['Stopped', 'Starting'], ({ machines, nodes, chance }, machine) => {
    machines.setState(machine.id, chance.happens(0.3) ? 'Starting' : 'Running');
    if (machines.state(machine.id) === 'Running') nodes.join(machine);
  }),
  toMachine('begin to migrate', 2, ['Running'], ({ machines }, { id }) => machines.setState(id, 'Migrating')),
  toMachine('end to migrate', 3, ['Migrating'], ({ machines }, { id }) => machines.setState(id, 'Running')),
  toMachine('destroy', 5, ['Running', 'Stopped'], (stage, machine) => {
    stage.machines.destroy(machine.id);
    silence(stage, machine);
  }),
  toMachine('expunge', 4, ['Destroyed', 'Running'], (stage, machine) => {
    stage.machines.expunge(machine.id);
    silence(stage, machine);
  }),
  toMachine('recover', 2, ['Destroyed'], ({ machines }, { id }) => machines.recover(id)),
  toMachine('make anew under the same name', 3, ['Removed'], (stage, { name }) => {
    if (stage.machines.living.some((one) => one.name === name)) return;
    joinWithSomeId(stage, stage.machines.add(name));
  }),
  toMachine('write the name in capitals', 1, ['Running', 'Stopped'], ({ machines }, { id, name }) =>
    machines.rename(id, name.toUpperCase()),
  ),
];

const nodeLife: readonly Happening[] = [
  toNode('kubelet falls silent', 6, ({ ready }) => ready, ({ nodes }, { name }) => nodes.setReady(name, false)),
  toNode('kubelet speaks again', 3, ({ ready }) => !ready, ({ machines, nodes }, { name, uid }) => {
    const machine = nodes.machineOf(uid);
    if (machine && machines.state(machine.id) === 'Running') nodes.setReady(name, true);
  }),
  toNode('somebody deletes the Node object', 2, () => true, ({ machines, nodes }, { name, uid }) => {
    const machine = nodes.machineOf(uid);
    nodes.remove(name);
    if (machine && machines.state(machine.id) === 'Running') nodes.join(machine);
  }),
  {
    name: 'machine joins',
    weight: 2,
    happen: (stage) => {
      const name = `late-${stage.machines.all.length}`;
      joinWithSomeId(stage, stage.machines.add(name));
      return `machine ${name} joins`;
    },
  },
  {
    name: 'node of another system',
    weight: 0.5,
    happen: ({ nodes, machines }) => {
      const name = `foreign-${machines.all.length}`;
      if (nodes.get(name)) return undefined;
      nodes.joinForeign(name);
      return `${name}, a node of another system, joins`;
    },
  },
  { name: 'all silent', weight: 1, happen: (stage) => (silenceAll(stage), 'all kubelets fall silent') },
  {
    name: 'machines come and go',
    weight: 2,
    happen: ({ machines, chance }) => {
      machines.addPasserBy(`passer-by-${chance.between(1, 1_000_000)}`);
      if (chance.happens(0.5)) machines.removePasserBy();
      return 'machines of no node come and go';
    },
  },
];

const EMPTY = { kind: 'http', status: 200, contentType: 'application/json', body: '{"listvirtualmachinesresponse":{}}' } as const;

/** What the cloud does wrong, for a while or for some calls. */
const CLOUD_FAULTS: readonly (readonly [name: string, action: FaultAction, command?: string])[] = [
  ['says 401 to everything', { kind: 'api-error', code: 401, text: 'unable to verify user credentials' }],
  ['says 432 to everything', { kind: 'api-error', code: 432, text: 'The API does not exist or is blacklisted' }],
  ['says 530 to everything', { kind: 'api-error', code: 530, text: 'Internal error' }],
  ['is behind a proxy that says 503 in HTML', { kind: 'http', status: 503, body: '<html>no</html>' }],
  ['is behind a proxy that says 200 in HTML', { kind: 'http', status: 200, body: '<html>log in</html>' }],
  ['shows no machine at all', EMPTY, 'listVirtualMachines'],
  ['does not answer', { kind: 'hang' }],
  ['answers late', { kind: 'latency', ms: 7000 }],
  ['resets connections', { kind: 'reset' }],
  ['loses answers', { kind: 'lost-answer' }],
  ['cuts answers', { kind: 'cut-body' }],
  ['answers nonsense', { kind: 'invalid-body' }],
  ['answers nothing', { kind: 'empty-body' }],
  ['says 429', { kind: 'rate-limit', retryMs: 3000 }],
];

const CLUSTER_FAULTS: readonly (readonly [name: string, fault: Fault])[] = [
  ['says 500', { kind: 'status', status: 500 }],
  ['says 409', { kind: 'status', status: 409 }],
  ['says 403', { kind: 'status', status: 403 }],
  ['says 429', { kind: 'status', status: 429, retryAfterSeconds: 2 }],
  ['resets connections', { kind: 'reset' }],
  ['resets connections after the deed', { kind: 'resetAfterCommit' }],
  ['cuts answers', { kind: 'cutBody', afterBytes: 200 }],
  ['does not answer', { kind: 'hang' }],
  ['answers late', { kind: 'delay', ms: 4000 }],
  ['has forgotten history', { kind: 'expired' }],
  ['breaks watches within a line', { kind: 'watch', afterLines: 1, ending: 'cutLine' }],
  ['lets watches fall silent', { kind: 'watch', afterLines: 1, ending: 'silence' }],
];

/** Such an answer lies about what is there, so it lasts: one call that lies and one that does not prove nothing. */
const cloudFault: Happening = {
  name: 'cloud fault',
  weight: 7,
  happen: ({ machines, chance }) => {
    const chosen = chance.pick(CLOUD_FAULTS);
    if (!chosen) return undefined;
    const [name, action, command] = chosen;
    const lasting = action === EMPTY || chance.happens(0.5);
    const limit = lasting ? {} : { count: chance.between(1, 4), skip: chance.between(0, 2) };
    machines.simulator.faults.add({ action, ...(command !== undefined && { command }), ...limit });
    return `CloudStack ${name}${lasting ? ' from now on' : ' for some calls'}`;
  },
};

const clusterFault: Happening = {
  name: 'cluster fault',
  weight: 5,
  happen: ({ nodes, chance }) => {
    const chosen = chance.pick(CLUSTER_FAULTS);
    if (!chosen) return undefined;
    const [name, fault] = chosen;
    const resource = chance.happens(0.7) ? { resource: 'nodes' } : {};
    nodes.simulator.faults.add({ fault, times: chance.between(1, 4), skip: chance.between(0, 3), ...resource });
    return `the API server ${name} for some calls`;
  },
};

const surroundings: readonly Happening[] = [
  cloudFault,
  clusterFault,
  {
    name: 'cloud well again',
    weight: 7,
    happen: ({ machines }) => {
      machines.simulator.faults.clear();
      machines.restoreKeys();
      machines.simulator.conditions.skewClock(0);
      machines.simulator.conditions.configure({ throttlingEnabled: false });
      return 'CloudStack is well again';
    },
  },
  {
    name: 'clock skew',
    weight: 1,
    happen: ({ machines, chance }) => {
      const ms = chance.pick([-3_600_000, 3_600_000, 90_000]) ?? 0;
      machines.simulator.conditions.skewClock(ms);
      return `the clock of CloudStack is wrong by ${ms} ms`;
    },
  },
  {
    name: 'throttling',
    weight: 1,
    happen: ({ machines, chance }) => {
      const most = chance.between(1, 5);
      machines.simulator.conditions.configure({ throttlingEnabled: true, throttlingMax: most, throttlingIntervalSeconds: 5 });
      return `an account may call ${most} times in 5 s`;
    },
  },
  { name: 'drop watches', weight: 1, happen: ({ nodes }) => `${nodes.simulator.faults.dropWatches()} watches break` },
  { name: 'expire watches', weight: 1, happen: ({ nodes }) => `${nodes.simulator.faults.expireWatches()} watches expire` },
];

const controllerLife: readonly Happening[] = [
  {
    name: 'restart',
    weight: 2,
    happen: async ({ controller }) => {
      await controller.stop();
      await controller.start();
      return 'the controller is restarted';
    },
  },
  { name: 'lost lease', weight: 2, happen: ({ controller }) => (controller.loseLease(), 'another replica leads') },
  {
    name: 'other eyes',
    weight: 4,
    happen: async (stage) => {
      const { controller, machines, chance } = stage;
      const eyes = chance.pick(['right', 'another-account', machines.projectId === undefined ? 'right' : 'no-project'] as const);
      await controller.see(eyes ?? 'right');
      if (eyes !== 'right' && chance.happens(0.6)) silenceAll(stage);
      return `cloud-config now has the eyes: ${eyes ?? 'right'}`;
    },
  },
  {
    name: 'keys moved',
    weight: 1,
    happen: ({ machines, chance }) => {
      if (chance.happens(0.5)) return machines.revokeKeys();
      return machines.moveKeys();
    },
  },
];

export const HAPPENINGS: readonly [Happening, ...Happening[]] = [
  { name: 'nothing', weight: 3, happen: () => 'nothing happens' },
  ...machineLife,
  ...nodeLife,
  ...surroundings,
  ...controllerLife,
];
