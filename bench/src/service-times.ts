import { sleep } from './controller-process.ts';
import { realisticNode } from './realistic-node.ts';
import { ONE_PAGE, Stage } from './stage.ts';

export interface ServiceTime {
  /** So many were created at once in one network. */
  readonly services: number;
  /** From the first creation to the last address in a status. */
  readonly seconds: number;
  readonly budget: number;
  /** The same of the Go controller 1.2.0 with a real management server. */
  readonly go: string;
}

const SERVICES = '/api/v1/namespaces/default/services';
const NODES = 3;
const LONGEST_MS = 120_000;
/** So many Services teach the controller how long jobs take. */
const TEACHING = 4;

/** How long new Services of one port take from their creation to their address, with the simulator's recorded times. */
export async function serviceTimes(): Promise<readonly ServiceTime[]> {
  await using stage = await Stage.start(NODES, { timing: 'recorded', lastAddress: ONE_PAGE });
  for (let index = 1; index <= NODES; index++) {
    const { metadata, spec, status } = realisticNode(index, stage.machineId(`node-${index}`));
    await stage.plane.client.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata, spec });
    await stage.plane.client.patch(`/api/v1/nodes/${metadata.name}/status`, { status });
  }
  const controller = await stage.controller(['--leader-elect=false', '-v=0']);
  try {
    await controller.logged(/"Caches are synced" kind="services"/);
    for (let index = 0; index < TEACHING; index++) await timed(stage, `first-${index}`, 1);
    return [
      { services: 1, seconds: await timed(stage, 'one', 1), budget: 1, go: '3.8 s' },
      { services: 18, seconds: await timed(stage, 'many', 18), budget: 15, go: '67.5 s' },
    ];
  } finally {
    await controller.stop();
  }
}

async function timed(stage: Stage, name: string, count: number): Promise<number> {
  const { client } = stage.plane;
  const start = performance.now();
  await Promise.all(Array.from({ length: count }, (_, index) => create(stage, `${name}-${index}`)));
  for (; performance.now() - start < LONGEST_MS; await sleep(20)) {
    const { items } = (await client.get(SERVICES)) as { readonly items: readonly Served[] };
    const served = items.filter(({ metadata, status }) => metadata.name.startsWith(`${name}-`) && hasAddress(status));
    if (served.length === count) return (performance.now() - start) / 1000;
  }
  throw new Error(`Not all of ${count} Services were served within ${LONGEST_MS / 1000} seconds`);
}

interface Served {
  readonly metadata: { readonly name: string };
  readonly status: { readonly loadBalancer?: { readonly ingress?: readonly unknown[] } };
}

function hasAddress({ loadBalancer }: Served['status']): boolean {
  return (loadBalancer?.ingress?.length ?? 0) > 0;
}

function create({ plane: { client } }: Stage, name: string): Promise<unknown> {
  return client.create(SERVICES, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { type: 'LoadBalancer', ports: [{ name: 'http', port: 80 }] },
  });
}
