import { sleep } from './controller-process.ts';
import { forEachIndex } from './for-each-index.ts';
import { realisticNode } from './realistic-node.ts';
import { Stage } from './stage.ts';

export interface MemoryAndStart {
  readonly nodes: number;
  /** Milliseconds from process start until all caches are synced: the median of the runs. */
  readonly syncedMs: number;
  /** Resident memory in MB once everything is quiet: the largest of the runs. */
  readonly rssMb: number;
  readonly peakMb: number;
}

const RUNS = 5;
/** Long enough for the first pass over all nodes and for the garbage collector. */
const QUIET_MS = 10_000;

/** Starts the controller against a cluster of that many realistic nodes, several times. */
export async function memoryAndStart(nodes: number): Promise<MemoryAndStart> {
  await using stage = await Stage.start(nodes);
  await createNodes(stage, nodes);
  const synced: number[] = [];
  const memories: { readonly now: number; readonly peak: number }[] = [];
  for (let run = 0; run < RUNS; run++) {
    const controller = await stage.controller(['--leader-elect=false']);
    try {
      const times = await Promise.all([
        controller.logged(/"Caches are synced" kind="nodes"/),
        controller.logged(/"Caches are synced" kind="services"/),
      ]);
      synced.push(Math.max(...times));
      await sleep(QUIET_MS);
      memories.push(controller.memory());
    } finally {
      await controller.stop();
    }
  }
  return {
    nodes,
    syncedMs: median(synced),
    rssMb: Math.max(...memories.map(({ now }) => now)),
    peakMb: Math.max(...memories.map(({ peak }) => peak)),
  };
}

async function createNodes(stage: Stage, count: number): Promise<void> {
  await forEachIndex(count, async (index) => {
    const { metadata, spec, status } = realisticNode(index, stage.machineId(`node-${index}`));
    await stage.plane.client.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata, spec });
    await stage.plane.client.patch(`/api/v1/nodes/${metadata.name}/status`, { status });
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
