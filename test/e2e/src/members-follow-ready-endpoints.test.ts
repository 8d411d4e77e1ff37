import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { realCluster } from './world/cluster.ts';
import { play, scenario } from './world/scenario.ts';
import { expose, initialise, WEB } from './world/steps.ts';
import type { ServiceOptions } from './world/service-object.ts';
import { waitFor } from './world/wait-for.ts';
import type { World } from './world/world.ts';

const READY_ENDPOINTS_ONLY = 'service.beta.kubernetes.io/cloudstack-load-balancer-ready-endpoints-only';

const LOCAL: ServiceOptions = {
  ...WEB,
  externalTrafficPolicy: 'Local',
  annotations: { [READY_ENDPOINTS_ONLY]: 'true' },
};

scenario('members are the nodes with a ready endpoint, as far as there is one', async (world) => {
  await world.startController();
  await initialise(world);
  await world.setEndpoints('web', { 'node-1': true, 'node-2': false });
  const { address } = await expose(world, LOCAL);
  await waitFor('only the node with a ready endpoint is a member', () => assertMembers(world, ['node-1']));

  await world.setEndpoints('web', { 'node-2': true, 'node-3': true });
  await waitFor('the members have moved with the pods', () => assertMembers(world, ['node-2', 'node-3']));

  await world.setEndpoints('web', { 'node-2': false });
  await waitFor('an event says that nobody is ready', async () => {
    assert.ok((await world.reasons('Service web')).includes('NoReadyEndpoints'));
  });
  assertMembers(world, ['node-2', 'node-3']);

  await world.patchService('web', { metadata: { annotations: { [READY_ENDPOINTS_ONLY]: null } } });
  await waitFor('all nodes are members again', () => assertMembers(world, ['node-1', 'node-2', 'node-3']));
  assert.deepEqual((await world.service('web')).ingress, [address], 'the address changed on the way');
});

test('with the rights of the manifest of the Go controller all nodes are members, and an event says why', async () => {
  const rights = join(import.meta.dirname, '../fixtures/go-controller-rights.yaml');
  await play(
    () => realCluster({ rights }),
    async (world) => {
      await world.startController();
      await initialise(world);
      await world.setEndpoints('web', { 'node-1': true });
      await expose(world, LOCAL);
      assertMembers(world, ['node-1', 'node-2', 'node-3']);
      await waitFor('an event says what to permit', async () => {
        const told = (await world.events('Service web')).find(({ reason }) => reason === 'EndpointsNotKnown');
        assert.match(told?.message ?? '', /endpointslices.* is forbidden/);
      });
    },
  );
});

function assertMembers(world: World, members: readonly string[]): void {
  assert.deepEqual(
    world.cloud.rules().map((rule) => rule.members),
    [members, members],
  );
}
