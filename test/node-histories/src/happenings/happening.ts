import type { Clock } from '@cloudstack-ccm/base';
import type { Chance } from '../chance.ts';
import type { Controller } from '../controller.ts';
import type { Machine, Machines } from '../machines.ts';
import type { NodeNow, Nodes } from '../nodes.ts';

/** Everything that something can happen to. */
export interface Stage {
  readonly machines: Machines;
  readonly nodes: Nodes;
  readonly controller: Controller;
  readonly chance: Chance;
  readonly time: Clock;
  /** Lets so many milliseconds pass. */
  readonly pass: (ms: number) => Promise<void>;
}

export interface Happening {
  readonly name: string;
  readonly weight: number;
  /** @returns what happened, for the story; undefined when there was nothing for it to happen to */
  readonly happen: (stage: Stage) => string | undefined | Promise<string | undefined>;
}

/** Whom it happens to is found first: nothing happens where there is nobody. */
export function toMachine(
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

export function toNode(
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
