import { counted, type Calls, type ServiceCalls } from './service-calls.ts';
import { realisticNode } from './realistic-node.ts';
import { allServed } from './served.ts';
import { Stage } from './stage.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const NODES = 3;
const AT_A_TIME = 20;

/** One list of rules, addresses and openings each, in two or three pages, and a few Services that are looked at for themselves. */
const PAGES = 30;

/** Counts the calls that many Services of one port cost when nothing changes, and when a node comes. */
export async function thousandServices(count: number): Promise<readonly ServiceCalls[]> {
  await using stage = await Stage.start(NODES + 1);
  for (let index = 1; index <= NODES; index++) await createNode(stage, index);
  const controller = await stage.controller(['--leader-elect=false', '-v=0']);
  try {
    await controller.logged(/"Caches are synced" kind="services"/);
    await forEach(count, (index) => createService(stage, index));
    await allServed(stage, count);
    const budget = (writes: number): Calls => ({ reads: PAGES, writes, polls: 2 * writes });
    return [
      await counted(stage, `unchanged sync of ${count} Services`, budget(0), '4 reads each', () =>
        forEach(count, (index) => touch(stage, index)),
      ),
      await counted(stage, `a node joins ${count} Services`, budget(count), 'not recorded', () =>
        createNode(stage, NODES + 1),
      ),
    ];
  } finally {
    await controller.stop();
  }
}

async function forEach(count: number, act: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
}

async function createNode(stage: Stage, index: number): Promise<void> {
  const { client } = stage.plane;
  const { metadata, spec, status } = realisticNode(index, stage.machineId(`node-${index}`));
  await client.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata, spec });
  await client.patch(`/api/v1/nodes/${metadata.name}/status`, { status });
}

function createService({ plane: { client } }: Stage, index: number): Promise<unknown> {
  return client.create(SERVICES, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `web-${index}` },
    spec: { type: 'LoadBalancer', ports: [{ name: 'http', port: 80 }] },
  });
}

function touch({ plane: { client } }: Stage, index: number): Promise<unknown> {
  return client.patch(`${SERVICES}/web-${index}`, { metadata: { annotations: { 'example.org/note': 'new' } } });
}
