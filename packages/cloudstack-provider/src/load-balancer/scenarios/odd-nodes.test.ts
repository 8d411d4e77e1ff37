import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isolatedScene, node } from '../testing/cloud.ts';
import { TestService } from '../testing/service.ts';
import { hands, withCloud } from '../testing/with-cloud.ts';

/** Numbers are those of the list of cases from the field: what its cases of nodes say of Services. */
describe('nodes that are odd, as users had them', () => {
  const cloud = withCloud({
    scene: (world) => {
      isolatedScene(world);
      for (const name of ['CKS-Prod-Control-1', 'CKS-Prod-Node-1'])
        world.virtualMachine({ name, owner: 'k8s', networks: ['net-iso'] });
    },
  });
  const { nodes, ensure } = hands(cloud);

  it('9: a node in lower case and with a domain sends traffic to its machine, and to no other', async () => {
    const service = new TestService();
    const joined = node('cks-prod-node-1.cluster.example.test', undefined);
    await cloud().controller().ensure(service, [joined]);
    assert.deepEqual(cloud().members(), ['CKS-Prod-Node-1']);
  });

  it('10: provider IDs of every form are read; one that is none is named, and its node skipped', async () => {
    const [one = '', two = '', three = ''] = ['node-1', 'node-2', 'node-3'].map((name) => cloud().machineId(name));
    const named = (name: string, providerId: string) => ({ ...node(name, undefined), providerId });
    const service = new TestService();
    await cloud()
      .controller()
      .ensure(service, [
        named('w1', `cloudstack:///${one}`),
        named('w2', `external-cloudstack://${two}`),
        named('w3', three),
        named('w4', 'cloudstack:///not/an/id'),
      ]);
    assert.deepEqual(cloud().members(), ['node-1', 'node-2', 'node-3']);
    assert.match(service.takeMessages(), /^NodeNotMatched: no traffic goes to w4 .*cloudstack:\/\/\/not\/an\/id/m);
  });

  for (const [what, code] of [
    ['key is refused', 401],
    ['server is out of order', 530],
  ] as const) {
    it(`12: nobody is taken out while a ${what}`, async () => {
      const service = new TestService();
      await ensure(service);
      const before = cloud().lastWrite;
      cloud().fail('listVirtualMachines', { kind: 'api-error', code, text: 'no answer today' });
      await assert.rejects(ensure(service), /no answer today/);
      assert.deepEqual(cloud().members(), ['node-1', 'node-2', 'node-3']);
      assert.deepEqual(cloud().writesSince(before), []);
    });
  }

  it('14: a machine that is stopped stays a member', async () => {
    const service = new TestService();
    await ensure(service);
    const { virtualMachines } = cloud().simulator.state;
    virtualMachines.update(cloud().machineId('node-2'), { state: 'Stopped' });
    const before = cloud().lastWrite;
    await ensure(service);
    assert.deepEqual(cloud().members(), ['node-1', 'node-2', 'node-3']);
    assert.deepEqual(cloud().writesSince(before), []);
  });

  it('15: a card without an address and a machine without a card harm nobody else', async () => {
    const { virtualMachines } = cloud().simulator.state;
    const first = virtualMachines.get(cloud().machineId('node-1'));
    const [card] = first?.nics ?? [];
    assert.ok(first && card);
    const { ipAddress: _, ...withoutAddress } = card;
    const layer2 = { ...withoutAddress, id: 'layer-2', networkId: 'layer-2', isDefault: false };
    virtualMachines.update(first.id, { nics: [layer2, card] });
    virtualMachines.update(cloud().machineId('node-2'), { nics: [] });
    const service = new TestService();
    await ensure(service);
    assert.deepEqual(cloud().members(), ['node-1', 'node-3']);
    assert.match(service.takeMessages(), /^NodeNotMatched: no traffic goes to node-2 .*no network card/m);
  });

  it('20: machines are never listed with more details than are needed', async () => {
    const service = new TestService();
    await ensure(service);
    await cloud().controller().updateMembers(service, nodes());
    const lists = cloud()
      .callsSince(0)
      .filter(({ command }) => command === 'listVirtualMachines');
    assert.ok(lists.length > 0);
    for (const { parameters } of lists)
      assert.match(parameters['details'] ?? 'all', /^(min|nics|servoff|group|affgrp|,)+$/);
  });
});
