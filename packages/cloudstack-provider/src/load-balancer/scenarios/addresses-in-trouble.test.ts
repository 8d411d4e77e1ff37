import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Scope } from '@cloudstack-ccm/base';
import type { Decorator } from '@cloudstack-ccm/cloudstack-client';
import { port, TestService } from '../testing/service.ts';
import { hands, withCloud } from '../testing/with-cloud.ts';

/** Numbers are those of the list of cases from the field. */
describe('public addresses that could not be had, used or given back', () => {
  const cloud = withCloud();
  const { nodes, ensure, remove } = hands(cloud);

  it('51: a release that fails is tried again by the next process, and nothing is left', async () => {
    const service = new TestService();
    await ensure(service);
    const addresses = cloud().addresses();
    cloud().fail('disassociateIpAddress', { kind: 'job-fails', code: 530, text: 'Failed to release' });
    for (const _ of [1, 2]) {
      await assert.rejects(remove(service), /Failed to release/, 'the finalizer would go before the address');
      assert.deepEqual([cloud().rules(), cloud().firewall(), cloud().addresses()], [[], [], addresses]);
    }
    assert.equal(service.annotation('ip-associated-by-controller'), 'true', 'nobody would know whose it is');
    cloud().simulator.faults.clear();
    await remove(service);
    assert.deepEqual(cloud().addresses(), []);
    assert.equal(service.annotation('ip-associated-by-controller'), undefined);
  });

  it('51: a release that an earlier process began is waited for', async () => {
    const service = new TestService();
    cloud().fail('createLoadBalancerRule', { kind: 'api-error', code: 530, text: 'Failed to create' });
    await assert.rejects(ensure(service));
    const [address = ''] = cloud().addresses();
    cloud().fail('disassociateIpAddress', { kind: 'slow-job', ms: 200 }, 1);
    using scope = Scope.root();
    await cloud().client.disassociateIpAddress(scope, { id: cloud().addressId(address) });
    await remove(service);
    assert.deepEqual(cloud().addresses(), []);
  });

  it('49: trouble between address and rule ends with one address, the same all along', async () => {
    const service = new TestService();
    cloud().fail('createLoadBalancerRule', { kind: 'api-error', code: 530, text: 'Failed to create' }, 2);
    const seen: (readonly string[])[] = [];
    for (const _ of [1, 2]) {
      await assert.rejects(ensure(service));
      seen.push(cloud().addresses());
    }
    await ensure(service);
    assert.equal(cloud().addresses().length, 1);
    assert.deepEqual(seen, [cloud().addresses(), cloud().addresses()]);
  });

  it('49: a Service that goes before it has a rule gives its address back', async () => {
    const service = new TestService();
    cloud().fail('createLoadBalancerRule', { kind: 'api-error', code: 530, text: 'Failed to create' });
    await assert.rejects(ensure(service));
    assert.ok(await cloud().controller().get(service));
    await remove(service);
    assert.deepEqual(cloud().addresses(), []);
    assert.equal(await cloud().controller().get(service), undefined);
  });

  it('50: a limit is named in plain words, without taking anything or writing the Service again and again', async () => {
    await cloud().associateByHand('203.0.113.12');
    cloud().simulator.state.settings = { ...cloud().simulator.state.settings, maxAccountPublicIps: 0 };
    const service = new TestService();
    const controller = cloud().controller();
    await assert.rejects(controller.ensure(service, nodes()), /Maximum number of public IP addresses/);
    const other = new TestService({ uid: 'other', loadBalancerIp: '203.0.113.12' });
    await controller.ensure(other, nodes());
    assert.equal(cloud().rules().length, 1, 'the other Service was held up');
    assert.match(
      service.takeMessages(),
      /^AddressLimitReached: Maximum number of public IP addresses .*Raise the limit/,
    );
    const annotations = service.annotationWrites;
    await assert.rejects(controller.ensure(service, nodes()));
    assert.equal(service.annotationWrites, annotations);
    cloud().simulator.state.settings = { ...cloud().simulator.state.settings, maxAccountPublicIps: 20 };
    await controller.ensure(service, nodes());
    assert.equal(cloud().addresses().length, 2);
  });

  it('50: an empty pool is named in plain words, and the first address that is freed is taken', async () => {
    const { publicIps } = cloud().simulator.state;
    const free = [...publicIps.values()].filter((ip) => ip.state === 'Free');
    for (const { id } of free) publicIps.update(id, { state: 'Reserved' });
    const service = new TestService();
    const controller = cloud().controller();
    for (const _ of [1, 2]) {
      await assert.rejects(controller.ensure(service, nodes()), /Insufficient address capacity/);
    }
    assert.match(service.takeMessages(), /^AddressPoolExhausted: no public IP is free: Insufficient address capacity/);
    assert.equal(service.annotationWrites, 1, 'the second try had nothing new to note');
    publicIps.update(free[3]?.id ?? '', { state: 'Free' });
    const status = await controller.ensure(service, nodes());
    assert.deepEqual(status, { ingress: [{ ip: free[3]?.address }] });
  });

  it('54: eight Services that come at once get eight addresses, though an answer repeats one', async () => {
    const services = Array.from(
      { length: 8 },
      (_, index) => new TestService({ uid: `uid-${index}`, name: `s${index}` }),
    );
    const controller = cloud().controller({ decorators: [repeatingOnce()] });
    const results = await Promise.allSettled(services.map((service) => controller.ensure(service, nodes())));
    const failed = services.filter((_, index) => results[index]?.status === 'rejected');
    assert.equal(failed.length, 1, 'the answer was believed, or harmed others');
    for (const service of failed) await controller.ensure(service, nodes());
    const addresses = cloud()
      .rules()
      .map((rule) => rule.split(' ')[1]);
    assert.equal(new Set(addresses).size, 8);
    assert.deepEqual(addresses.map((one) => one?.replace(':80', '') ?? '').toSorted(), cloud().addresses());
    for (const service of services) await controller.delete(service);
    assert.deepEqual([cloud().rules(), cloud().firewall(), cloud().addresses()], [[], [], []]);
  });

  it('54: an answer that repeats the address of another Service is not believed', async () => {
    const controller = cloud().controller({ decorators: [repeatingOnce()] });
    const [web, mail] = [new TestService(), new TestService({ name: 'mail', uid: 'mail-uid', ports: [port('25')] })];
    await controller.ensure(web, nodes());
    await assert.rejects(controller.ensure(mail, nodes()), /CloudStack answered with \S+ when \S+ was asked/);
    assert.equal(cloud().rules().length, 1);
    await controller.ensure(mail, nodes());
    assert.equal(cloud().addresses().length, 2);
    await controller.delete(mail);
    assert.deepEqual(cloud().addresses(), [cloud().rules()[0]?.split(' ')[1]?.split(':')[0]]);
    await controller.delete(web);
    assert.deepEqual(cloud().addresses(), []);
  });
});

/** Gives the answer to the first associateIpAddress to the second one, too. */
function repeatingOnce(): Decorator {
  let first: unknown;
  return (next) => async (scope, call) => {
    if (call.command !== 'associateIpAddress' || first === 'repeated') return next(scope, call);
    const answer = first ?? (await next(scope, call));
    first = first === undefined ? answer : 'repeated';
    return answer;
  };
}
