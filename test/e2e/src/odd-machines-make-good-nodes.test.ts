import assert from 'node:assert/strict';
import { scenario } from './world/scenario.ts';
import { expose, initialise } from './world/steps.ts';
import { waitFor } from './world/wait-for.ts';
import type { World } from './world/world.ts';

/** Labels of a place, by the kind of value. */
const LABELS = {
  zone: ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone'],
  region: ['topology.kubernetes.io/region', 'failure-domain.beta.kubernetes.io/region'],
  type: ['node.kubernetes.io/instance-type', 'beta.kubernetes.io/instance-type'],
} as const;

scenario(
  'a first network card without address and a machine without cards break nothing (cases 15, 20)',
  async (world) => {
    world.cloud.addCardWithoutAddress('node-1');
    await world.startController({ flags: ['--node-status-update-frequency=500ms'] });
    await initialise(world);
    const { addresses: before } = await world.node('node-2');
    assert.ok(before.includes(`InternalIP ${world.cloud.machine('node-2').address}`));
    assert.ok(world.cloud.change('node-1', {}).nics.some(({ ipAddress }) => ipAddress === undefined));
    const [, card] = world.cloud.change('node-1', {}).nics;
    assert.deepEqual((await world.node('node-1')).addresses, [`InternalIP ${card?.ipAddress}`, 'Hostname node-1']);

    world.cloud.change('node-2', { nics: [] });
    await waitFor('the node is told that its machine has no network card', async () => {
      const told = (await world.events('Node node-2')).filter(({ type }) => type === 'Warning');
      assert.ok(told.some(({ message }) => message.includes('virtual machine node-2 has no network card')));
    });
    await expose(world);
    for (const { members } of world.cloud.rules()) assert.deepEqual(members, ['node-1', 'node-3']);
    await waitFor('the Service is told that the node is skipped', async () => {
      const told = (await world.events('Service web')).filter(({ type }) => type === 'Warning');
      assert.ok(told.some(({ message }) => /node-2.*no network card/.test(message)));
    });
    assert.deepEqual((await world.node('node-2')).addresses, before, 'its addresses were taken away');
    assertLimitedDetails(world);
  },
);

scenario(
  'names of zones and offerings that are no label values become some, the same each time (cases 16, 19)',
  async (world) => {
    const names = ['node-1', 'node-2'];
    for (const name of names) world.cloud.resize(name, 'Small (4 GB / 2 CPU)');
    world.cloud.place('node-1', 'North Zone (1)');
    world.cloud.place('node-2', 'A-B');
    await world.startController();
    for (const round of ['first', 'second']) {
      await initialise(world, names);
      for (const [name, zone] of [
        ['node-1', 'North_Zone__1'],
        ['node-2', 'A-B'],
      ] as const) {
        const { labels } = await world.node(name);
        for (const key of [...LABELS.zone, ...LABELS.region]) assert.equal(labels[key], zone, `${round} time: ${key}`);
        for (const key of LABELS.type) assert.equal(labels[key], 'Small4GB2CPU', `${round} time: ${key}`);
      }
      for (const name of names) await world.removeNode(name);
    }
  },
);

scenario(
  'the keys of a root administrator give no node the hypervisor’s name, and show that a machine is destroyed (case 17)',
  async (world) => {
    const { hostId } = world.cloud.change('node-1', {});
    assert.ok(hostId !== undefined);
    world.cloud.simulator.state.hosts.update(hostId, { name: 'kvm-7' });
    await world.startController({ cloudConfig: world.writeCloudConfig(world.cloud.rootConfig()) });
    await initialise(world, ['node-1']);
    await waitFor('the node has addresses', async () => {
      const expected = [`InternalIP ${world.cloud.machine('node-1').address}`, 'Hostname node-1'];
      assert.deepEqual((await world.node('node-1')).addresses, expected);
    });
    const { labels } = await world.node('node-1');
    assert.ok(!Object.values(labels).includes('kvm-7'), 'a label tells the hypervisor');
    // Nobody else is there to bear witness: what is seen destroyed needs none.
    await world.setReady('node-1', false);
    await world.cloud.destroyMachine('node-1');
    await waitFor('the node of the destroyed machine goes', async () => assert.deepEqual(await world.nodes(), []));
  },
);

/** Without `details`, and with most of them, a large CloudStack takes minutes for the list. */
function assertLimitedDetails(world: World): void {
  const calls = world.cloud.calls('listVirtualMachines');
  assert.ok(calls.length > 0, 'no machine was ever asked for');
  for (const { parameters } of calls) {
    assert.match(parameters['details'] ?? 'all of them', /^(nics|servoff|affgrp|min)(,(nics|servoff|affgrp))*$/);
  }
}
