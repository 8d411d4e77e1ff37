import assert from 'node:assert/strict';
import { everywhere, type Stand } from '../../testing/promises.ts';
import { port, TestService } from '../../testing/service.ts';

everywhere({
  'R33, R34, R35: an address that the controller took is noted, and released by the last Service on it': async (at) => {
    const first = new TestService();
    await at.ensure(first);
    assert.equal(first.annotation('ip-associated-by-controller'), 'true');
    const [address = ''] = at.cloud.addresses();
    const second = new TestService({ uid: 'second', name: 'second', loadBalancerIp: address, ports: [port('81')] });
    await at.ensure(second);
    await at.delete(first);
    assert.deepEqual([at.cloud.addresses(), at.opened], [[address], ['81 0.0.0.0/0']]);
    await at.delete(second);
    assert.deepEqual(at.left, [[], [], []]);
  },

  'R35: an address that anything else is on stays, be it a rule by hand or a port forwarding': async (at) => {
    const service = new TestService();
    await at.ensure(service);
    const [address = ''] = at.cloud.addresses();
    forward(at, address);
    await at.delete(service);
    assert.deepEqual(at.left, [[], [], [address]]);
    assert.match(service.takeMessages(), /AddressKept: .*port forwarding rule/);
  },

  'R34, R46, R49: an address that the user has is used, and stays when the Service goes': async (at) => {
    const address = await at.takeAddress();
    const service = new TestService({ loadBalancerIp: address });
    assert.deepEqual(await at.ensure(service), { ingress: [{ ip: address }] });
    assert.equal(service.annotation('ip-associated-by-controller'), undefined);
    await at.delete(service);
    assert.deepEqual(at.left, [[], [], [address]]);
    assert.deepEqual(at.sent('disassociateIpAddress'), []);
  },

  'R47: an address that is nowhere to be seen is told, and nothing is written': async (at) => {
    const service = new TestService({ loadBalancerIp: '198.51.100.9' });
    await assert.rejects(at.ensure(service), /could not find IP address/);
    assert.match(service.takeMessages(), /^AddressNotUsable: .*could not find IP address 198\.51\.100\.9/m);
    assert.deepEqual(at.cloud.writesSince(0), []);
  },

  'R48, R49, R53: a free address is associated, with the VPC where there is one, and released': async (at) => {
    const service = new TestService({ loadBalancerIp: '203.0.113.40' });
    assert.deepEqual(await at.ensure(service), { ingress: [{ ip: '203.0.113.40' }] });
    const [associated = {}, ...others] = at.sent('associateIpAddress');
    assert.deepEqual(others, []);
    assert.equal(associated[at.place.associates] !== undefined, true);
    assert.equal('vpcid' in associated && 'networkid' in associated, false);
    assert.equal(service.annotation('ip-associated-by-controller'), 'true');
    await at.delete(service);
    assert.deepEqual(at.left, [[], [], []]);
  },

  'refuses the source NAT address where the administrator wants that': async (at) => {
    const sourceNat = at.cloud.simulator.state.publicIps.find((ip) => ip.isSourceNat);
    const service = new TestService({ loadBalancerIp: sourceNat?.address ?? '' });
    const before = at.cloud.lastWrite;
    await assert.rejects(at.cloud.controller({ allowSourceNat: false }).ensure(service, at.nodes), /is the source NAT/);
    assert.deepEqual(at.cloud.writesSince(before), []);
    if (at.place.associates === 'vpcid') return;
    await at.ensure(service);
    await at.delete(service);
    assert.equal(at.cloud.simulator.state.publicIps.get(sourceNat?.id ?? '')?.state, 'Allocated');
  },
});

/** Port 2222 of an address, to the SSH of a machine, by hand. */
function forward({ cloud, network }: Stand, address: string): void {
  const { state, clock } = cloud.simulator;
  state.portForwardingRules.add({
    id: 'forwarding',
    accountId: network.accountId,
    publicIpId: cloud.addressId(address),
    networkId: network.id,
    protocol: 'tcp',
    publicPort: 2222,
    publicEndPort: 2222,
    privatePort: 22,
    privateEndPort: 22,
    virtualMachineId: cloud.machineId('node-1'),
    guestAddress: '10.1.1.11',
    cidrs: [],
    state: 'Active',
    created: clock.now(),
  });
}
