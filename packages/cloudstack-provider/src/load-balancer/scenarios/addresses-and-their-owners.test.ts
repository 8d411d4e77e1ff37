import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Scope } from '@cloudstack-ccm/base';
import { completed } from '@cloudstack-ccm/cloudstack-client';
import { TestService } from '../testing/service.ts';
import { hands, withCloud } from '../testing/with-cloud.ts';

/** Numbers are those of the list of cases from the field. */
describe('public addresses, whoever they belong to', () => {
  const cloud = withCloud();
  const { nodes, ensure, remove } = hands(cloud);

  it('65: what a user wrote stays when the load balancer goes, what the controller wrote does not', async () => {
    const service = new TestService();
    service.annotate({ 'keep-ip': 'false' });
    await ensure(service);
    await remove(service);
    assert.deepEqual(Object.keys(service.view.annotations), [
      'service.beta.kubernetes.io/cloudstack-load-balancer-keep-ip',
    ]);
  });

  it('are kept for good when the user says so', async () => {
    const service = new TestService();
    service.annotate({ 'keep-ip': 'true' });
    await ensure(service);
    const addresses = cloud().addresses();
    await remove(service);
    assert.deepEqual([cloud().rules(), cloud().firewall(), cloud().addresses()], [[], [], addresses]);
    assert.match(service.takeMessages(), /AddressKept: public IP \S+ stays allocated: the Service says so/);
    const later = new TestService({ uid: 'later', loadBalancerIp: addresses[0] ?? '' });
    await ensure(later);
    await remove(later);
    assert.deepEqual(cloud().addresses(), addresses, 'not released by another Service either');
  });

  it('that somebody released and took again are not ours to release any more', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, nodes());
    const [address = ''] = cloud().addresses();
    using scope = Scope.root();
    await completed(scope, cloud().client.disassociateIpAddress(scope, { id: cloud().addressId(address) }));
    await cloud().associateByHand(address);
    cloud().simulator.state.publicIps.update(cloud().addressId(address), { allocated: Date.now() + 60_000 });
    await controller.ensure(service, nodes());
    assert.equal(service.annotation('ip-associated-by-controller'), undefined);
    await controller.delete(service);
    assert.deepEqual(cloud().addresses(), [address]);
  });
});

describe('53: an address that CloudStack 4.17 hands out with the tags of its former owner', () => {
  const cloud = withCloud({ version: '4.17' });
  const { nodes, ensure, remove } = hands(cloud);

  it('is used, marked as ours, and released at the end', async () => {
    const stale = new TestService({ uid: 'former', name: 'former', loadBalancerIp: '203.0.113.34' });
    await ensure(stale);
    const tags = [...cloud().simulator.state.tags.values()].filter((tag) => tag.resourceType === 'PublicIpAddress');
    await remove(stale);
    for (const tag of tags) {
      if (!cloud().simulator.state.tags.get(tag.id)) cloud().simulator.state.tags.add({ ...tag, value: 'stranger' });
    }
    const service = new TestService({ loadBalancerIp: '203.0.113.34' });
    const controller = cloud().controller();
    await controller.ensure(service, nodes());
    const now = [...cloud().simulator.state.tags.values()].filter((tag) => tag.resourceType === 'PublicIpAddress');
    assert.ok(now.some((tag) => tag.value === service.view.uid));
    assert.ok(!now.some((tag) => tag.value === 'stranger'));
    await controller.delete(service);
    assert.deepEqual(cloud().addresses(), []);
  });
});
