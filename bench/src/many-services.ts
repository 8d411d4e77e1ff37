import { realisticNode } from './realistic-node.ts';
import { allServed } from './served.ts';
import { Stage } from './stage.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const SELECTOR = 'service.beta.kubernetes.io/cloudstack-load-balancer-node-selector';

const FLAGS = ['--leader-elect=false', '-v=0'];

/**
 * How long it takes until Services that are created at once all have their address, with the times of a real
 * management server.
 * @returns seconds from the first creation to the last status
 */
async function manyServices(networks: number, perNetwork: number): Promise<number> {
  await using stage = await Stage.start(networks, { networks, timing: 'recorded' });
  for (let index = 1; index <= networks; index++) await createNode(stage, index, `net-${index % networks}`);
  const controller = await stage.controller(FLAGS);
  try {
    await controller.logged(/"Caches are synced" kind="services"/);
    const start = performance.now();
    const all = Array.from({ length: networks * perNetwork }, (_, index) => index);
    await Promise.all(all.map((index) => createService(stage, index, `net-${index % networks}`)));
    await allServed(stage, all.length);
    return (performance.now() - start) / 1000;
  } finally {
    await controller.stop();
  }
}

export interface ManyServices {
  readonly networks: number;
  readonly perNetwork: number;
  /** Seconds for those of one network, with nothing else to do: what the limit of each network allows. */
  readonly alone: number;
  /** Seconds for all networks at once. */
  readonly together: number;
}

/** Compares, in one run, one network alone with many at once: 1 would mean that none waits for another. */
export async function compareNetworks(networks: number, perNetwork: number): Promise<ManyServices> {
  const alone = await manyServices(1, perNetwork);
  return { networks, perNetwork, alone, together: await manyServices(networks, perNetwork) };
}

async function createNode(stage: Stage, index: number, network: string): Promise<void> {
  const { client } = stage.plane;
  const { metadata, spec, status } = realisticNode(index, stage.machineId(`node-${index}`));
  const labels = { ...metadata.labels, network };
  await client.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { ...metadata, labels }, spec });
  await client.patch(`/api/v1/nodes/${metadata.name}/status`, { status });
}

async function createService({ plane: { client } }: Stage, index: number, network: string): Promise<void> {
  await client.create(SERVICES, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `web-${index}`, annotations: { [SELECTOR]: `network=${network}` } },
    spec: { type: 'LoadBalancer', ports: [{ name: 'http', port: 80 }] },
  });
}
