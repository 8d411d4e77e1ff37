import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isolatedScene } from '../testing/cloud.ts';
import { TestService } from '../testing/service.ts';
import { hands, withCloud } from '../testing/with-cloud.ts';

/** Numbers are those of the list of cases from the field. */
describe('public addresses that users asked for', () => {
  const cloud = withCloud({
    scene: (world) => {
      isolatedScene(world);
      world.network({ name: 'other-net', owner: 'k8s', cidr: '10.9.1.0/24' });
    },
  });
  const { nodes, ensure, remove } = hands(cloud);

  it('45: an address of the user is used, not noted as ours, and never released', async () => {
    await cloud().associateByHand('203.0.113.12');
    const service = new TestService({ loadBalancerIp: '203.0.113.12' });
    const controller = cloud().controller();
    const status = await controller.ensure(service, nodes());
    assert.deepEqual(status, { ingress: [{ ip: '203.0.113.12' }] });
    assert.equal(service.annotation('ip-associated-by-controller'), undefined);
    await remove(service);
    assert.deepEqual([cloud().rules(), cloud().firewall()], [[], []]);
    assert.deepEqual(cloud().addresses(), ['203.0.113.12']);
  });

  it('47: an unknown address is refused, and the one in use goes on serving', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, nodes());
    const [rules, writes] = [cloud().rules(), cloud().lastWrite];
    service.edit({ loadBalancerIp: '198.51.100.9' });
    await assert.rejects(
      controller.ensure(service, nodes()),
      /could not find IP address 198\.51\.100\.9\. Found 0 addresses/,
    );
    assert.ok(service.takeReasons().includes('AddressNotUsable'));
    assert.deepEqual(cloud().writesSince(writes), []);
    assert.deepEqual(cloud().rules(), rules);
  });

  it('47: a port that a rule of somebody else holds is named, and nothing is written', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, nodes());
    const { ruleId } = await cloud().handMade('theirs', { address: '203.0.113.31', members: ['node-1'] });
    const [rules, writes] = [cloud().rules(), cloud().lastWrite];
    service.edit({ loadBalancerIp: '203.0.113.31' });
    await assert.rejects(controller.ensure(service, nodes()), new RegExp(`port 80 .*theirs \\(${ruleId}`));
    assert.ok(service.takeReasons().includes('PortConflict'));
    assert.deepEqual(cloud().writesSince(writes), []);
    assert.deepEqual(cloud().rules(), rules);
  });

  it('47: a move makes the new rules before the old ones go, and releases the old address', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, nodes());
    const [old] = cloud().addresses();
    service.edit({ loadBalancerIp: '203.0.113.32', ingress: [{ ip: old ?? '' }] });
    const writes = cloud().lastWrite;
    const status = await controller.ensure(service, nodes());
    assert.deepEqual(status, { ingress: [{ ip: '203.0.113.32' }] });
    // Members and opening of the new rule do not wait for each other, and nothing waits for marks.
    const changes = cloud()
      .writesSince(writes)
      .filter((command) => command !== 'createTags');
    assert.deepEqual(changes.slice(0, 2), ['associateIpAddress', 'createLoadBalancerRule']);
    assert.deepEqual(changes.slice(2, 4).toSorted(), ['assignToLoadBalancerRule', 'createFirewallRule']);
    assert.deepEqual(changes.slice(4), ['deleteFirewallRule', 'deleteLoadBalancerRule', 'disassociateIpAddress']);
    assert.deepEqual(cloud().addresses(), ['203.0.113.32']);
    assert.deepEqual(cloud().firewall(), ['203.0.113.32 tcp 80-80 0.0.0.0/0']);
    await controller.delete(service);
    assert.deepEqual(cloud().addresses(), []);
  });

  it('47: a move that fails leaves the old address serving', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, nodes());
    const [old] = cloud().addresses();
    service.edit({ loadBalancerIp: '203.0.113.32', ingress: [{ ip: old ?? '' }] });
    cloud().fail('assignToLoadBalancerRule', { kind: 'job-fails', code: 530, text: 'Failed to assign' }, 10);
    await assert.rejects(controller.ensure(service, nodes()));
    assert.ok(
      cloud()
        .rules()
        .some((rule) => rule.includes(`${old}:80 → 31080 tcp roundrobin [node-1,node-2,node-3]`)),
    );
    cloud().simulator.faults.clear();
    await ensure(service);
    assert.deepEqual(cloud().addresses(), ['203.0.113.32']);
    assert.equal(cloud().rules().length, 1);
  });

  it('48: an address of the user stays his when he clears the field', async () => {
    await cloud().associateByHand('203.0.113.12');
    const service = new TestService({ loadBalancerIp: '203.0.113.12' });
    await ensure(service);
    service.edit({ loadBalancerIp: '' });
    const status = await ensure(service);
    assert.deepEqual(status, { ingress: [{ ip: '203.0.113.12' }] });
    await remove(service);
    assert.deepEqual(cloud().addresses(), ['203.0.113.12']);
  });

  it('52: a record that contradicts itself is neither taken nor used', async () => {
    await cloud().associateByHand('203.0.113.33');
    const { publicIps } = cloud().simulator.state;
    const { allocated: _, ...withoutDate } = publicIps.get(cloud().addressId('203.0.113.33')) ?? never();
    publicIps.replace(withoutDate);
    const service = new TestService({ loadBalancerIp: '203.0.113.33' });
    const writes = cloud().lastWrite;
    await assert.rejects(
      ensure(service),
      /203\.0\.113\.33 contradicts itself: state Allocated, but no allocation date/,
    );
    assert.match(service.takeMessages(), /^AddressNotUsable: .*contradicts itself: state Allocated/m);
    assert.deepEqual(cloud().writesSince(writes), []);
    assert.deepEqual(cloud().addresses(), ['203.0.113.33']);
  });

  it('of another network are refused before anything is written', async () => {
    await cloud().associateByHand('203.0.113.40', 'other-net');
    const writes = cloud().lastWrite;
    const service = new TestService({ loadBalancerIp: '203.0.113.40' });
    await assert.rejects(ensure(service), /203\.0\.113\.40 is associated with network other-net, not with net-iso/);
    assert.deepEqual(cloud().writesSince(writes), []);
  });
});

function never(): never {
  throw new Error('the scene has no such object');
}
