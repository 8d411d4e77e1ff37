import { toMachine, type Happening } from './happening.ts';
import { joinWithSomeId } from './joining.ts';
import { silence } from './silence.ts';

/** What happens to machines. */
export const MACHINE_LIFE: readonly Happening[] = [
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
