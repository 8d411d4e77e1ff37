import { sleep } from './controller-process.ts';
import { realisticNode } from './realistic-node.ts';
import { ONE_PAGE, Stage } from './stage.ts';

export interface Calls {
  readonly reads: number;
  readonly writes: number;
  /** Of async jobs. */
  readonly polls: number;
}

export interface ServiceCalls extends Calls {
  readonly operation: string;
  readonly budget: Calls;
  /** The same of the Go controller 1.2.0, recorded against a real management server. */
  readonly go: string;
}

const SERVICES = '/api/v1/namespaces/default/services';
const SERVICE = `${SERVICES}/web`;
const NODES = 3;
const QUIET_MS = 1500;

/** Address, rule, members and opening, and a createTags for each of two kinds; two polls more than jobs. */
const NEW: Calls = { reads: 2, writes: 6, polls: 8 };
/** The lists of machines and networks, which all Services share, are read for the first. */
const NEW_AND_SHARED: Calls = { ...NEW, reads: 4 };
const UNCHANGED: Calls = { reads: 4, writes: 0, polls: 0 };
const GROWN: Calls = { reads: 4, writes: 6, polls: 8 };
const DELETED: Calls = { reads: 3, writes: 5, polls: 7 };

/** Counts the calls that the life of one Service costs. */
export async function serviceCalls(): Promise<readonly ServiceCalls[]> {
  await using stage = await Stage.start(NODES, { lastAddress: ONE_PAGE });
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
    const create = (name: string): Promise<unknown> =>
      client.create(SERVICES, {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name },
        spec: { type: 'LoadBalancer', ports: [port('http', 80)] },
      });
    const port = (name: string, number: number): object => ({ name, port: number });
    return [
      await counted(stage, 'first Service of a process, one port', NEW_AND_SHARED, '5 / 4 / 7', () => create('web')),
      await counted(stage, 'next new Service, one port', NEW, '5 / 4 / 7', () => create('next')),
      await counted(stage, 'unchanged sync of one Service', UNCHANGED, '4 / 0 / 0', () =>
        client.patch(SERVICE, { metadata: { annotations: { 'example.org/note': 'something else' } } }),
      ),
      await counted(stage, 'add a port and a source range', GROWN, '6 / 5 / 9', () =>
        client.patch(SERVICE, {
          spec: { ports: [port('http', 80), port('https', 443)], loadBalancerSourceRanges: ['192.0.2.0/24'] },
        }),
      ),
      await counted(stage, 'delete a Service with two ports', DELETED, '10 / 5 / 10', () => client.delete(SERVICE)),
    ];
  } finally {
    await controller.stop();
  }
}

/** Counts the calls from what is done until nothing more comes. */
export async function counted(
  stage: Stage,
  operation: string,
  budget: Calls,
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
  return { operation, reads, polls, writes: commands.length - polls - reads, budget, go };
}

/** Waits until no call has come for a while. */
async function quiet({ simulator: { callLog } }: Stage): Promise<void> {
  let last = -1;
  while (last !== callLog.last) {
    last = callLog.last;
    await sleep(QUIET_MS);
  }
}
