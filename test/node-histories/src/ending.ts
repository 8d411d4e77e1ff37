import { CONFIRM_DELETION } from '@cloudstack-ccm/cloud-controllers';
import type { Stage } from './happenings/happening.ts';
import { SHUTDOWN, UNINITIALIZED, type NodeNow } from './nodes.ts';
import { BrokenPromise } from './promises.ts';
import { machineIdOf } from './provider-ids.ts';

/** Six passes. */
const PIECE_MS = 30_000;

/** A watch on which nothing comes any more is noticed within two minutes, and deletions count for one. */
const CALM_MS = 300_000;

/** The back-off of a node that failed for all of a history. */
const PATIENCE_MS = 1_200_000;

/** The limits of the deletion guard, by default. */
const HELD = { count: 3, percent: 20 };

/**
 * Ends all faults and lets the controller work. Every node of a dead machine must then go, within a bounded time; where
 * the guard holds deletion, there must be a reason, and a person's word must be enough.
 * @throws BrokenPromise
 */
export async function endWell(stage: Stage): Promise<void> {
  await makeWell(stage);
  settleMachines(stage);
  const restless = (): boolean => deadNodes(stage).length > 0 || wronglyTainted(stage).length > 0;
  await passWhile(restless, CALM_MS, stage);
  const left = deadNodes(stage);
  if (left.length > 0) {
    assertHeldForAReason(stage, left);
    for (const { name } of left) stage.nodes.confirmDeletion(name, CONFIRM_DELETION);
    await passWhile(restless, CALM_MS, stage);
    fail(deadNodes(stage), 'are still there, though their machines are dead and a person confirmed it');
  }
  fail(wronglyTainted(stage), 'have the shutdown taint though their machines run, or lack it though they are stopped');
  await passWhile(() => uninitialized(stage).length > 0, PATIENCE_MS, stage);
  fail(uninitialized(stage), 'were not initialised, though their machines run');
}

/** Always lets some time pass, so that what must not happen has the time for it. */
async function passWhile(restless: () => boolean, most: number, { pass }: Stage): Promise<void> {
  for (let passed = 0; passed === 0 || (passed < most && restless()); passed += PIECE_MS) await pass(PIECE_MS);
}

async function makeWell({ machines, nodes, controller }: Stage): Promise<void> {
  machines.simulator.faults.clear();
  machines.restoreKeys();
  machines.simulator.conditions.skewClock(0);
  machines.simulator.conditions.configure({ throttlingEnabled: false });
  nodes.simulator.faults.clear();
  if (controller.runs) await controller.see('right');
  else await controller.restartWith('right');
}

/** Machines reach where they were going to; kubelets say what is so. */
function settleMachines({ machines, nodes }: Stage): void {
  for (const { id } of machines.living) {
    const state = machines.state(id);
    if (state === 'Starting' || state === 'Migrating') machines.setState(id, 'Running');
    if (state === 'Stopping') machines.setState(id, 'Stopped');
  }
  for (const machine of machines.living) if (machines.state(machine.id) === 'Running') nodes.join(machine);
  for (const { name, uid, providerId } of nodes.list()) {
    const maker = nodes.machineOf(uid);
    const runs = machines.living.some((one) => one.name.toLowerCase() === name && machines.state(one.id) === 'Running');
    if (maker && !runs) nodes.setReady(name, false);
    if (!maker && machineIdOf(providerId) === '') nodes.setReady(name, false);
  }
}

/** Of machines that are dead, by the provider ID, and not taken over by a new machine of the same name. */
function deadNodes({ machines, nodes }: Stage): readonly NodeNow[] {
  return nodes.list().filter(({ providerId, ready }) => {
    const id = machineIdOf(providerId);
    return !ready && id !== '' && machines.isDead(id);
  });
}

function assertHeldForAReason({ machines, nodes }: Stage, left: readonly NodeNow[]): void {
  const all = nodes.list();
  const witness = all.some(({ providerId }) => {
    const id = machineIdOf(providerId);
    return id !== '' && !machines.isDead(id);
  });
  const tooMany = left.length > HELD.count && left.length * 100 > HELD.percent * all.length;
  if (witness && !tooMany) fail(left, `are still there, though their machines are dead, of ${all.length}`);
}

function wronglyTainted({ machines, nodes }: Stage): readonly NodeNow[] {
  return nodes.list().filter(({ providerId, taints, ready }) => {
    const id = machineIdOf(providerId);
    if (id === '' || machines.isDead(id)) return false;
    const has = taints.includes(SHUTDOWN);
    return ready ? has : machines.state(id) === 'Stopped' && !has;
  });
}

function uninitialized({ machines, nodes }: Stage): readonly NodeNow[] {
  return nodes.list().filter(({ name, providerId, taints, ready }) => {
    const namesakes = machines.living.filter((one) => one.name.toLowerCase() === name);
    const id = machineIdOf(providerId);
    const known = id === '' || !machines.isDead(id);
    return ready && known && namesakes.length === 1 && taints.includes(UNINITIALIZED);
  });
}

function fail(nodes: readonly NodeNow[], what: string): void {
  if (nodes.length === 0) return;
  const names = nodes.map(({ name, providerId }) => `${name} (${providerId})`).join(', ');
  throw new BrokenPromise(`${nodes.length} nodes ${what}: ${names}`);
}
