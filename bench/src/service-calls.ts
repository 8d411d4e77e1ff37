import { sleep } from './controller-process.ts';
import { realisticNode } from './realistic-node.ts';
import { Stage } from './stage.ts';

export interface ServiceCalls {
  readonly operation: string;
  readonly reads: number;
  readonly writes: number;
  readonly polls: number;
  /** The same of the Go controller 1.2.0, recorded against a real management server. */
  readonly go: string;
}

const SERVICE = '/api/v1/namespaces/default/services/web';
const NODES = 3;
const QUIET_MS = 1500;

/** Counts the calls that the life of one Service costs. */
export async function serviceCalls(): Promise<readonly ServiceCalls[]> {
  await using stage = await Stage.start(NODES);
  const { client } = stage.plane;
  for (let index = 1; index <= NODES; index++) {
    const { metadata, spec, status } = realisticNode(index, stage.machineId(`node-${index}`));
    await client.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata, spec });
    await client.patch(`/api/v1/nodes/${metadata.name}/status`, { status });
  }
  const controller = await stage.controller(['--leader-elect=false']);
  try {
    await controller.logged(/"Caches are synced" kind="services"/);
    await quiet(stage);
    const port = (name: string, number: number): object => ({ name, port: number });
    const spec = { type: 'LoadBalancer', ports: [port('http', 80)] };
    const metadata = { name: 'web' };
    return [
      await counted(stage, 'new Service, one port, three nodes', '5 / 4 / 7', () =>
        client.create('/api/v1/namespaces/default/services', { apiVersion: 'v1', kind: 'Service', metadata, spec }),
      ),
      await counted(stage, 'unchanged sync of that Service', '4 / 0 / 0', () =>
        client.patch(SERVICE, { metadata: { annotations: { 'example.org/note': 'something else' } } }),
      ),
      await counted(stage, 'add a port and a source range', '6 / 5 / 9', () =>
        client.patch(SERVICE, {
          spec: { ports: [port('http', 80), port('https', 443)], loadBalancerSourceRanges: ['192.0.2.0/24'] },
        }),
      ),
      await counted(stage, 'delete a Service with two ports', '10 / 5 / 10', () => client.delete(SERVICE)),
    ];
  } finally {
    await controller.stop();
  }
}

async function counted(
  stage: Stage,
  operation: string,
  go: string,
  act: () => Promise<unknown>,
): Promise<ServiceCalls> {
  const { callLog } = stage.simulator;
  const before = callLog.last;
  await act();
  await quiet(stage);
  const commands = callLog.since(before).map(({ command }) => command);
  const polls = commands.filter((command) => command === 'queryAsyncJobResult').length;
  const reads = commands.filter((command) => command.startsWith('list')).length;
  return { operation, reads, polls, writes: commands.length - polls - reads, go };
}

/** Waits until no call has come for a while. */
async function quiet({ simulator: { callLog } }: Stage): Promise<void> {
  let last = -1;
  while (last !== callLog.last) {
    last = callLog.last;
    await sleep(QUIET_MS);
  }
}
