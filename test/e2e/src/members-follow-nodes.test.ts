import assert from 'node:assert/strict';
import { scenario } from './world/scenario.ts';
import { expose, initialise, WEB } from './world/steps.ts';
import { waitFor } from './world/wait-for.ts';
import type { World } from './world/world.ts';

scenario('a node that joins becomes a member of each rule, and one that leaves stops being one', async (world) => {
  await world.startController();
  await initialise(world);
  const { address } = await expose(world);

  world.cloud.addMachine('node-4');
  await world.join('node-4');
  await waitFor('the new node is a member', () => assertMembers(world, ['node-1', 'node-2', 'node-3', 'node-4']));

  await world.removeNode('node-2');
  await waitFor('the node that left is no member', () => assertMembers(world, ['node-1', 'node-3', 'node-4']));

  assert.deepEqual((await world.service('web')).ingress, [address], 'the address changed on the way');
  const commands = world.cloud.writes().map((call) => call.split(' ')[0]);
  assert.equal(commands.filter((command) => command === 'createLoadBalancerRule').length, 2, 'rules were made anew');
  assert.ok((await world.reasons('Service web')).includes('UpdatedLoadBalancer'));
});

scenario('a node that is not ready stays a member: kube-proxy on others still reaches its pods', async (world) => {
  await world.startController();
  await initialise(world);
  await expose(world);
  await world.setReady('node-1', false);
  world.cloud.addMachine('node-4');
  await world.join('node-4');
  await waitFor('the new node is a member', () => assertMembers(world, ['node-1', 'node-2', 'node-3', 'node-4']));
});

scenario('a node whose machine comes late becomes a member then', async (world) => {
  await world.startController();
  await initialise(world);
  await world.join('late');
  await expose(world);
  world.cloud.addMachine('late');
  await waitFor('the late node is a member', () => assertMembers(world, ['late', 'node-1', 'node-2', 'node-3']));
});

scenario('members get traffic on the addresses that the Service chooses', async (world) => {
  const names = ['node-1', 'node-2', 'node-3'];
  const secondary = names.map((name, index) => world.cloud.addSecondaryAddress(name, `10.1.1.${201 + index}`));
  const usual = names.map((name) => world.cloud.machine(name).address).sort();
  await world.startController();
  await initialise(world);
  const annotation = 'service.beta.kubernetes.io/cloudstack-load-balancer-member-addresses';
  await expose(world, { ...WEB, annotations: { [annotation]: '10.1.1.200/29' } });
  assert.deepEqual(
    world.cloud.rules().map((rule) => rule.memberAddresses),
    [secondary, secondary],
  );
  await world.patchService('web', { metadata: { annotations: { [annotation]: null } } });
  await waitFor('members get it on their usual addresses', () => {
    assert.deepEqual(
      world.cloud.rules().map((rule) => rule.memberAddresses),
      [usual, usual],
    );
  });
});

function assertMembers(world: World, members: readonly string[]): void {
  assert.deepEqual(
    world.cloud.rules().map((rule) => rule.members),
    [members, members],
  );
}
