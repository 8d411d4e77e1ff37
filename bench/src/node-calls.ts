import { sleep } from './controller-process.ts';
import { forEachIndex } from './for-each-index.ts';
import { Stage } from './stage.ts';

export interface NodeCalls {
  readonly what: string;
  /** Lists of machines. */
  readonly calls: number;
  /** The most that is allowed. */
  readonly budget: number;
  readonly seconds: number;
}

const PAGE = 500;
const PERIOD_MS = 10_000;
const UNINITIALIZED = 'node.cloudprovider.kubernetes.io/uninitialized';

/** What one pass costs in which no node is ready. The passes are far apart, so that one can be told from the next. */
export async function silentNodes(count: number): Promise<NodeCalls> {
  await using stage = await Stage.start(count);
  await forEachIndex(count, async (index) => {
    // A node without the condition Ready is not ready.
    await join(stage, index, { providerID: `external-cloudstack://${stage.machineId(`node-${index}`)}` });
  });
  const flags = ['--leader-elect=false', '--controllers=cloud-node-lifecycle-controller', '--node-monitor-period=60s'];
  const controller = await stage.controller(flags);
  try {
    await controller.logged(/"Caches are synced" kind="nodes"/);
    const { calls, seconds } = await untilQuiet(stage);
    return { what: `a pass over ${count} nodes that are not ready`, calls, budget: count / PAGE + 5, seconds };
  } finally {
    await controller.stop();
  }
}

/** What it costs when many nodes join at once; calls are those of the ten seconds with the most. */
export async function newNodes(count: number): Promise<NodeCalls> {
  await using stage = await Stage.start(count);
  await forEachIndex(count, (index) => {
    return join(stage, index, { taints: [{ key: UNINITIALIZED, value: 'true', effect: 'NoSchedule' }] });
  });
  const flags = ['--leader-elect=false', '--controllers=cloud-node-controller', '--kube-api-qps=200'];
  const controller = await stage.controller([...flags, '--kube-api-burst=300', '--concurrent-node-syncs=10']);
  try {
    const began = performance.now();
    while (!(await allInitialized(stage))) await sleep(500);
    const seconds = (performance.now() - began) / 1000;
    // One more call teaches how many machines fit into an answer.
    const budget = Math.ceil(count / PAGE) + 1 + 5;
    return {
      what: `initialising ${count} new nodes, in 10 s at most`,
      calls: mostWithinPeriod(stage),
      budget,
      seconds,
    };
  } finally {
    await controller.stop();
  }
}

async function join(stage: Stage, index: number, spec: object): Promise<void> {
  const metadata = { name: `node-${index}` };
  await stage.plane.client.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata, spec });
}

async function allInitialized({ plane }: Stage): Promise<boolean> {
  return !JSON.stringify(await plane.client.get('/api/v1/nodes')).includes(UNINITIALIZED);
}

function listTimes({ simulator }: Stage): readonly number[] {
  return simulator.callLog.entries.filter(({ command }) => command === 'listVirtualMachines').map(({ time }) => time);
}

/** Waits until nothing is asked any more. @returns the lists, and the time until the last of them */
async function untilQuiet(stage: Stage): Promise<{ readonly calls: number; readonly seconds: number }> {
  const began = performance.now();
  let calls = 0;
  let last = began;
  while (calls === 0 || performance.now() - last < 3000) {
    const now = listTimes(stage).length;
    if (now !== calls) last = performance.now();
    calls = now;
    await sleep(20);
  }
  return { calls, seconds: (last - began) / 1000 };
}

function mostWithinPeriod(stage: Stage): number {
  const times = listTimes(stage);
  return Math.max(...times.map((from) => times.filter((time) => time >= from && time < from + PERIOD_MS).length));
}
