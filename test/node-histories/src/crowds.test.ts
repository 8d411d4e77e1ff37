import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Chance } from './chance.ts';
import { Controller, USER_AGENT } from './controller.ts';
import { Machines } from './machines.ts';
import { Nodes, UNINITIALIZED } from './nodes.ts';
import { StoryTime } from './story-time.ts';

const PAGE = 500;

test('5,000 nodes that are not ready cost ceil(5000/500) + 5 list calls a pass, and none for each of them', async () => {
  await using crowd = await Crowd.of(5000);
  crowd.join({ initialized: true, ready: false });
  await crowd.start();
  await crowd.time.pass(7000);
  for (const gone of [0, 3, 700]) {
    crowd.expunge(gone);
    await crowd.time.pass(1);
    const calls = await crowd.callsWithin(5000);
    assert.ok(calls > 0, 'it did not look');
    assert.ok(calls <= Math.ceil(5000 / PAGE) + 5, `${calls} calls with ${gone} machines gone`);
  }
  assert.ok(crowd.nodes.list().length > 4900, 'nodes were lost');
});

test('1,000 new nodes cost one paged list in ten seconds, and each a patch of the node and one of its status', async () => {
  await using crowd = await Crowd.of(1000);
  await crowd.start();
  await crowd.time.pass(20_000);
  crowd.join({ initialized: false, ready: true });
  const calls = await crowd.callsWithin(10_000);
  // The first answer that is cut teaches how many machines fit into one; the first node comes before there is a crowd.
  const [learning, first] = [1, 1];
  assert.ok(calls <= learning + first + Math.ceil(1000 / PAGE), `${calls} calls in the first ten seconds`);
  for (let round = 0; round < 60 && crowd.uninitialized > 0; round++) {
    const more = await crowd.callsWithin(10_000);
    assert.ok(more <= Math.ceil(1000 / PAGE), `${more} calls in ten seconds`);
  }
  assert.equal(crowd.uninitialized, 0);
  assert.deepEqual(crowd.patches(), { node: 1000, status: 1000 });
});

/** A cluster of many nodes, and what it makes the controller do. */
class Crowd implements AsyncDisposable {
  readonly time: StoryTime;
  readonly machines: Machines;
  readonly nodes: Nodes;
  readonly controller: Controller;
  #expunged = 0;

  private constructor(time: StoryTime, machines: Machines, nodes: Nodes, controller: Controller) {
    this.time = time;
    this.machines = machines;
    this.nodes = nodes;
    this.controller = controller;
  }

  static async of(size: number): Promise<Crowd> {
    // Long lists take real time.
    const time = new StoryTime(200);
    const chance = new Chance(1);
    const machines = await Machines.start(chance, time);
    machines.simulator.conditions.configure({ defaultPageSize: PAGE, allowUserViewDestroyedVm: false });
    for (let index = 1; index <= size; index++) machines.add(`node-${index}`);
    const nodes = await Nodes.start(chance, time);
    return new Crowd(time, machines, nodes, new Controller({ machines, nodes, time, chance }));
  }

  /** Starts the controller and waits, in real time, until it knows all nodes. */
  async start(): Promise<void> {
    await this.controller.start();
    for (let turn = 0; turn < 3000 && !this.#knowsNodes; turn++) {
      await setTimeout(10);
      await this.time.settle();
    }
    assert.ok(this.#knowsNodes, 'it never knew the nodes');
  }

  get #knowsNodes(): boolean {
    return this.controller.lines.some((line) => line.includes('Caches are synced'));
  }

  join({ initialized, ready }: { readonly initialized: boolean; readonly ready: boolean }): void {
    for (const { id, name } of this.machines.all) {
      this.nodes.simulator.objects.create({
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name },
        spec: initialized
          ? { providerID: `external-cloudstack://${id}` }
          : { taints: [{ key: UNINITIALIZED, value: 'true', effect: 'NoSchedule' }] },
      });
      // Without a condition it is not ready.
      if (ready) this.nodes.setReady(name, true);
    }
  }

  /** So many in all. */
  expunge(count: number): void {
    for (const { id } of this.machines.all.slice(this.#expunged, count)) this.machines.expunge(id);
    this.#expunged = count;
  }

  /** Calls that list machines in so many milliseconds. */
  async callsWithin(ms: number): Promise<number> {
    const { callLog } = this.machines.simulator;
    const before = callLog.last;
    await this.time.pass(ms);
    return callLog.since(before).filter(({ command }) => command === 'listVirtualMachines').length;
  }

  get uninitialized(): number {
    return this.nodes.list().filter(({ taints }) => taints.includes(UNINITIALIZED)).length;
  }

  patches(): { readonly node: number; readonly status: number } {
    const patches = this.nodes.simulator.writeLog
      .of('nodes')
      .filter(({ userAgent, verb, changed }) => userAgent.startsWith(USER_AGENT) && verb === 'patch' && changed);
    return {
      node: patches.filter(({ subresource }) => subresource === '').length,
      status: patches.filter(({ subresource }) => subresource === 'status').length,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.controller[Symbol.asyncDispose]();
    await this.nodes[Symbol.asyncDispose]();
    await this.machines[Symbol.asyncDispose]();
  }
}
