import assert from 'node:assert/strict';
import { scenario } from './world/scenario.ts';
import { expose, initialise, WEB } from './world/steps.ts';
import { stays, waitFor } from './world/wait-for.ts';
import type { World } from './world/world.ts';

// A fifth of the usual times: the order of events is the same.
const TIMES = [
  '--leader-elect=true',
  '--leader-elect-lease-duration=3s',
  '--leader-elect-renew-deadline=2s',
  '--leader-elect-retry-period=400ms',
];
const LEASE = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/cloud-controller-manager';

scenario('a stand-by waits while the leader works, and takes over when it is killed', async (world) => {
  const first = await world.startController({ flags: TIMES });
  await waitFor('the first one leads', () => holder(world));
  const leader = await holder(world);
  await world.startController({ flags: TIMES });
  await initialise(world);
  const { address } = await expose(world);
  await stays('the first one leads', async () => assert.equal(await holder(world), leader), 2000);

  await first.stop('SIGKILL');
  world.cloud.addMachine('node-4');
  await world.join('node-4');
  await waitFor('the second one works on the nodes', async () => {
    assert.ok((await world.node('node-4')).providerId);
  });
  assert.notEqual(await holder(world), leader);
  await waitFor('the second one works on the Services', () => {
    for (const { members } of world.cloud.rules()) assert.equal(members.length, 4);
  });
  assert.deepEqual((await world.service('web')).ingress, [address]);
  assert.deepEqual(world.cloud.addresses(), [address], 'the second one took another address');
});

scenario('a leader that is told to end lets the stand-by work at once', async (world) => {
  const slow = ['--leader-elect=true', '--leader-elect-lease-duration=60s', '--leader-elect-renew-deadline=40s'];
  const flags = [...slow, '--leader-elect-retry-period=400ms'];
  const first = await world.startController({ flags });
  await waitFor('the first one leads', () => holder(world));
  await world.startController({ flags });
  assert.deepEqual(await first.stop('SIGTERM'), { code: 0, signal: null });
  await initialise(world);
  await expose(world, { ...WEB, name: 'later' });
});

async function holder(world: World): Promise<string> {
  const lease = await world.client.get(LEASE);
  assert.ok(lease, 'there is no lease');
  const { holderIdentity } = (lease as { spec: { holderIdentity?: string } }).spec;
  assert.ok(holderIdentity, 'nobody holds the lease');
  return holderIdentity;
}
