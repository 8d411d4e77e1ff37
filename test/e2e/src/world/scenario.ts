import { test } from 'node:test';
import { messageOf } from '@cloudstack-ccm/base';
import { Cloud, type CloudOptions } from './cloud.ts';
import { type Cluster, type ClusterKind, clusterKinds, startCluster } from './cluster.ts';
import { World } from './world.ts';

export interface ScenarioOptions extends CloudOptions {
  /** Default: each of them, which keeps the simulator honest. */
  readonly clusters?: readonly ClusterKind[];
}

/**
 * A test of the controller as users run it, against a cloud and a cluster of its own. What every scenario promises is
 * checked at its end: see `World.close`.
 */
export function scenario(name: string, body: (world: World) => Promise<void>, options: ScenarioOptions = {}): void {
  for (const kind of options.clusters ?? clusterKinds) {
    void test(`${name} [${kind}]`, { timeout: 120_000 }, () => play(() => startCluster(kind), body, options));
  }
}

/** Plays a scenario once, in a cluster that the caller chooses. */
export async function play(
  start: () => Promise<Cluster>,
  body: (world: World) => Promise<void>,
  options: CloudOptions = {},
): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const cloud = stack.use(await Cloud.start(options));
  const cluster = stack.use(await start());
  await using world = new World(cluster, cloud);
  try {
    await Promise.race([body(world), world.crashed]);
    await world.close();
  } catch (thrown) {
    throw new Error(`${messageOf(thrown)}\n${await world.story()}`, { cause: thrown });
  }
}
