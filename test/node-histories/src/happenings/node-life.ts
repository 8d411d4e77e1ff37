import { toNode, type Happening } from './happening.ts';
import { joinWithSomeId } from './joining.ts';
import { silenceAll } from './silence.ts';

/** What happens to Node objects and to kubelets. */
export const NODE_LIFE: readonly Happening[] = [
  toNode(
    'kubelet falls silent',
    6,
    ({ ready }) => ready,
    ({ nodes }, { name }) => nodes.setReady(name, false),
  ),
  toNode(
    'kubelet speaks again',
    3,
    ({ ready }) => !ready,
    ({ machines, nodes }, { name, uid }) => {
      const machine = nodes.machineOf(uid);
      if (machine && machines.state(machine.id) === 'Running') nodes.setReady(name, true);
    },
  ),
  toNode(
    'somebody deletes the Node object',
    2,
    () => true,
    ({ machines, nodes }, { name, uid }) => {
      const machine = nodes.machineOf(uid);
      nodes.remove(name);
      if (machine && machines.state(machine.id) === 'Running') nodes.join(machine);
    },
  ),
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
