import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { completed, type Decorator } from '@cloudstack-ccm/cloudstack-client';
import { Scope } from '@cloudstack-ccm/base';
import { isolatedScene, type Cloud } from '../testing/cloud.ts';
import { LB, port, TestService } from '../testing/service.ts';
import { withCloud } from '../testing/with-cloud.ts';

const NODES = ['node-1', 'node-2', 'node-3'];

async function associateByHand(cloud: Cloud, ipAddress: string, network = 'net-iso'): Promise<string> {
  using scope = Scope.root();
  const networkId = cloud.networkId(network);
  return (await completed(scope, cloud.client.associateIpAddress(scope, { networkId, ipAddress }))).id;
}

/** Numbers are those of the list of cases from the field. */
describe('public addresses, as users had them', () => {
  const cloud = withCloud({
    scene: (world) => {
      isolatedScene(world);
      world.network({ name: 'other-net', owner: 'k8s', cidr: '10.9.1.0/24' });
    },
  });

  it('45: an address of the user is used, not noted as ours, and never released', async () => {
    await associateByHand(cloud(), '203.0.113.12');
    const service = new TestService({ loadBalancerIp: '203.0.113.12' });
    const controller = cloud().controller();
    const status = await controller.ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(status, { ingress: [{ ip: '203.0.113.12' }] });
    assert.equal(service.annotation('ip-associated-by-controller'), undefined);
    await cloud().controller().delete(service);
    assert.deepEqual([cloud().rules(), cloud().firewall()], [[], []]);
    assert.deepEqual(cloud().addresses(), ['203.0.113.12']);
  });

  it('46: a free address is taken for the first of two Services, and released with the last', async () => {
    const web = new TestService({ loadBalancerIp: '203.0.113.30' });
    const mail = new TestService({
      name: 'mail',
      uid: 'mail-uid',
      loadBalancerIp: '203.0.113.30',
      ports: [port('25')],
    });
    const controller = cloud().controller();
    await controller.ensure(web, cloud().nodes(...NODES));
    await controller.ensure(mail, cloud().nodes(...NODES));
    assert.equal(web.annotation('ip-associated-by-controller'), 'true');
    await controller.delete(mail);
    assert.deepEqual(cloud().addresses(), ['203.0.113.30']);
    assert.equal(cloud().rules().length, 1);
    await controller.delete(web);
    assert.deepEqual(cloud().addresses(), []);
  });

  it('46: it is released with the last in the other order, too', async () => {
    const web = new TestService({ loadBalancerIp: '203.0.113.30' });
    const mail = new TestService({
      name: 'mail',
      uid: 'mail-uid',
      loadBalancerIp: '203.0.113.30',
      ports: [port('25')],
    });
    await cloud()
      .controller()
      .ensure(web, cloud().nodes(...NODES));
    await cloud()
      .controller()
      .ensure(mail, cloud().nodes(...NODES));
    await cloud().controller().delete(web);
    assert.deepEqual(cloud().addresses(), ['203.0.113.30']);
    assert.match(
      web.takeMessages(),
      /AddressKept: public IP 203\.0\.113\.30 stays allocated: it carries load balancer rule/,
    );
    await cloud().controller().delete(mail);
    assert.deepEqual(cloud().addresses(), []);
  });

  it('46: it is released once when both go at the same moment', async () => {
    const web = new TestService({ loadBalancerIp: '203.0.113.30' });
    const mail = new TestService({
      name: 'mail',
      uid: 'mail-uid',
      loadBalancerIp: '203.0.113.30',
      ports: [port('25')],
    });
    const controller = cloud().controller();
    await controller.ensure(web, cloud().nodes(...NODES));
    await controller.ensure(mail, cloud().nodes(...NODES));
    const writes = cloud().lastWrite;
    await Promise.all([controller.delete(web), controller.delete(mail)]);
    assert.deepEqual([cloud().rules(), cloud().firewall(), cloud().addresses()], [[], [], []]);
    const releases = cloud()
      .writesSince(writes)
      .filter((command) => command === 'disassociateIpAddress');
    assert.equal(releases.length, 1);
  });

  it('51: a release that an earlier process began is waited for', async () => {
    const service = new TestService();
    cloud().fail('createLoadBalancerRule', { kind: 'api-error', code: 530, text: 'Failed to create' });
    await assert.rejects(
      cloud()
        .controller()
        .ensure(service, cloud().nodes(...NODES)),
    );
    const [address = ''] = cloud().addresses();
    cloud().fail('disassociateIpAddress', { kind: 'slow-job', ms: 200 }, 1);
    using scope = Scope.root();
    await cloud().client.disassociateIpAddress(scope, { id: cloud().addressId(address) });
    await cloud().controller().delete(service);
    assert.deepEqual(cloud().addresses(), []);
  });

  it('47: an unknown address is refused, and the one in use goes on serving', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    const [rules, writes] = [cloud().rules(), cloud().lastWrite];
    service.edit({ loadBalancerIp: '198.51.100.9' });
    await assert.rejects(
      controller.ensure(service, cloud().nodes(...NODES)),
      /could not find IP address 198\.51\.100\.9\. Found 0 addresses/,
    );
    assert.ok(service.takeReasons().includes('AddressNotUsable'));
    assert.deepEqual(cloud().writesSince(writes), []);
    assert.deepEqual(cloud().rules(), rules);
  });

  it('47: a port that a rule of somebody else holds is named, and nothing is written', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    const { ruleId } = await cloud().handMade('theirs', { address: '203.0.113.31', members: ['node-1'] });
    const [rules, writes] = [cloud().rules(), cloud().lastWrite];
    service.edit({ loadBalancerIp: '203.0.113.31' });
    await assert.rejects(
      controller.ensure(service, cloud().nodes(...NODES)),
      new RegExp(`port 80 .*theirs \\(${ruleId}`),
    );
    assert.ok(service.takeReasons().includes('PortConflict'));
    assert.deepEqual(cloud().writesSince(writes), []);
    assert.deepEqual(cloud().rules(), rules);
  });

  it('47: a move makes the new rules before the old ones go, and releases the old address', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    const [old] = cloud().addresses();
    service.edit({ loadBalancerIp: '203.0.113.32', ingress: [{ ip: old ?? '' }] });
    const writes = cloud().lastWrite;
    const status = await controller.ensure(service, cloud().nodes(...NODES));
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
    await controller.ensure(service, cloud().nodes(...NODES));
    const [old] = cloud().addresses();
    service.edit({ loadBalancerIp: '203.0.113.32', ingress: [{ ip: old ?? '' }] });
    cloud().fail('assignToLoadBalancerRule', { kind: 'job-fails', code: 530, text: 'Failed to assign' }, 10);
    await assert.rejects(controller.ensure(service, cloud().nodes(...NODES)));
    assert.ok(
      cloud()
        .rules()
        .some((rule) => rule.includes(`${old}:80 → 31080 tcp roundrobin [node-1,node-2,node-3]`)),
    );
    cloud().simulator.faults.clear();
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(cloud().addresses(), ['203.0.113.32']);
    assert.equal(cloud().rules().length, 1);
  });

  it('48: an address of the user stays his when he clears the field', async () => {
    await associateByHand(cloud(), '203.0.113.12');
    const service = new TestService({ loadBalancerIp: '203.0.113.12' });
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    service.edit({ loadBalancerIp: '' });
    const status = await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(status, { ingress: [{ ip: '203.0.113.12' }] });
    await cloud().controller().delete(service);
    assert.deepEqual(cloud().addresses(), ['203.0.113.12']);
  });

  it('49: trouble between address and rule ends with one address, the same all along', async () => {
    const service = new TestService();
    cloud().fail('createLoadBalancerRule', { kind: 'api-error', code: 530, text: 'Failed to create' }, 2);
    const seen: (readonly string[])[] = [];
    for (const _ of [1, 2]) {
      await assert.rejects(
        cloud()
          .controller()
          .ensure(service, cloud().nodes(...NODES)),
      );
      seen.push(cloud().addresses());
    }
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.equal(cloud().addresses().length, 1);
    assert.deepEqual(seen, [cloud().addresses(), cloud().addresses()]);
  });

  it('49: a Service that goes before it has a rule gives its address back', async () => {
    const service = new TestService();
    cloud().fail('createLoadBalancerRule', { kind: 'api-error', code: 530, text: 'Failed to create' });
    await assert.rejects(
      cloud()
        .controller()
        .ensure(service, cloud().nodes(...NODES)),
    );
    assert.ok(await cloud().controller().get(service));
    await cloud().controller().delete(service);
    assert.deepEqual(cloud().addresses(), []);
    assert.equal(await cloud().controller().get(service), undefined);
  });

  it('50: a limit is named in plain words, without taking anything or writing the Service again and again', async () => {
    cloud().simulator.state.settings = { ...cloud().simulator.state.settings, maxAccountPublicIps: 0 };
    const service = new TestService();
    const controller = cloud().controller();
    await assert.rejects(controller.ensure(service, cloud().nodes(...NODES)), /Maximum number of public IP addresses/);
    assert.match(
      service.takeMessages(),
      /^AddressLimitReached: Maximum number of public IP addresses .*Raise the limit/,
    );
    const annotations = service.annotationWrites;
    await assert.rejects(controller.ensure(service, cloud().nodes(...NODES)));
    assert.equal(service.annotationWrites, annotations);
    cloud().simulator.state.settings = { ...cloud().simulator.state.settings, maxAccountPublicIps: 20 };
    await controller.ensure(service, cloud().nodes(...NODES));
    assert.equal(cloud().addresses().length, 1);
  });

  it('50: an empty pool is named in plain words, and the first address that is freed is taken', async () => {
    const { publicIps } = cloud().simulator.state;
    const free = [...publicIps.values()].filter((ip) => ip.state === 'Free');
    for (const { id } of free) publicIps.update(id, { state: 'Reserved' });
    const service = new TestService();
    const controller = cloud().controller();
    for (const _ of [1, 2]) {
      await assert.rejects(controller.ensure(service, cloud().nodes(...NODES)), /Insufficient address capacity/);
    }
    assert.match(service.takeMessages(), /^AddressPoolExhausted: no public IP is free: Insufficient address capacity/);
    assert.equal(service.annotationWrites, 1, 'the second try had nothing new to note');
    publicIps.update(free[3]?.id ?? '', { state: 'Free' });
    const status = await controller.ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(status, { ingress: [{ ip: free[3]?.address }] });
  });

  it('52: a record that contradicts itself is neither taken nor used', async () => {
    await associateByHand(cloud(), '203.0.113.33');
    const { publicIps } = cloud().simulator.state;
    const { allocated: _, ...withoutDate } = publicIps.get(cloud().addressId('203.0.113.33')) ?? never();
    publicIps.replace(withoutDate);
    const service = new TestService({ loadBalancerIp: '203.0.113.33' });
    const writes = cloud().lastWrite;
    await assert.rejects(
      cloud()
        .controller()
        .ensure(service, cloud().nodes(...NODES)),
      /203\.0\.113\.33 contradicts itself: state Allocated, but no allocation date/,
    );
    assert.deepEqual(cloud().writesSince(writes), []);
    assert.deepEqual(cloud().addresses(), ['203.0.113.33']);
  });

  it('54: an answer that repeats the address of another Service is not believed', async () => {
    let first: unknown;
    const repeating: Decorator = (next) => async (scope, call) => {
      if (call.command !== 'associateIpAddress' || first === 'repeated') return next(scope, call);
      const answer = first ?? (await next(scope, call));
      first = first === undefined ? answer : 'repeated';
      return answer;
    };
    const controller = cloud().controller({ decorators: [repeating] });
    const [web, mail] = [new TestService(), new TestService({ name: 'mail', uid: 'mail-uid', ports: [port('25')] })];
    await controller.ensure(web, cloud().nodes(...NODES));
    await assert.rejects(
      controller.ensure(mail, cloud().nodes(...NODES)),
      /CloudStack answered with \S+ when \S+ was asked/,
    );
    assert.equal(cloud().rules().length, 1);
    await controller.ensure(mail, cloud().nodes(...NODES));
    assert.equal(cloud().addresses().length, 2);
    await controller.delete(mail);
    assert.deepEqual(cloud().addresses(), [cloud().rules()[0]?.split(' ')[1]?.split(':')[0]]);
    await controller.delete(web);
    assert.deepEqual(cloud().addresses(), []);
  });

  it('55: an address that others use stays when ours go; nothing of theirs is touched', async () => {
    const web = new TestService({ ports: [port('80:31080'), port('443:31443')] });
    const controller = cloud().controller();
    await controller.ensure(web, cloud().nodes(...NODES));
    const [address = ''] = cloud().addresses();
    const theirs = [
      await cloud().handMade('a9999-tcp-8443', { port: 8443, address }),
      await cloud().handMade('debug', { port: 9000, address }),
      await cloud().handMade(`x${LB}-tcp-80`, { port: 80 }),
    ].map(({ ruleId }) => ruleId);
    const own = cloud().simulator.state.loadBalancerRules.find((rule) => rule.publicPort === 443) ?? never();
    const { protocol: _, ...withoutProtocol } = own;
    cloud().simulator.state.loadBalancerRules.replace(withoutProtocol);
    web.edit({ ports: [port('80:31080')] });
    await controller.ensure(web, cloud().nodes(...NODES));
    assert.ok(!cloud().ruleIds().includes(own.id), 'a rule without protocol counts as tcp');
    await controller.delete(web);
    assert.deepEqual(cloud().ruleIds().toSorted(), theirs.toSorted());
    assert.ok(cloud().addresses().includes(address));
    assert.equal(cloud().firewall().length, 3);
  });

  it('56: openings of others on a shared address stay, whatever their ports', async () => {
    await associateByHand(cloud(), '203.0.113.20');
    const theirs = [
      await cloud().openByHand('203.0.113.20', 6443, ['0.0.0.0/0']),
      await cloud().openByHand('203.0.113.20', 80, ['0.0.0.0/0']),
    ];
    const service = new TestService({ loadBalancerIp: '203.0.113.20' });
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    service.edit({ loadBalancerSourceRanges: ['192.0.2.0/24'] });
    await controller.ensure(service, cloud().nodes(...NODES));
    assert.ok(service.takeReasons().includes('ForeignFirewallRule'));
    await cloud().controller().delete(service);
    const left = [...cloud().simulator.state.firewallRules.values()].map(({ id }) => id);
    assert.deepEqual(left.toSorted(), theirs.toSorted());
    assert.deepEqual(cloud().addresses(), ['203.0.113.20']);
  });

  it('65: what a user wrote stays when the load balancer goes, what the controller wrote does not', async () => {
    const service = new TestService();
    service.annotate({ 'keep-ip': 'false' });
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    await cloud().controller().delete(service);
    assert.deepEqual(Object.keys(service.view.annotations), [
      'service.beta.kubernetes.io/cloudstack-load-balancer-keep-ip',
    ]);
  });

  it('are kept for good when the user says so', async () => {
    const service = new TestService();
    service.annotate({ 'keep-ip': 'true' });
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    const addresses = cloud().addresses();
    await cloud().controller().delete(service);
    assert.deepEqual([cloud().rules(), cloud().firewall(), cloud().addresses()], [[], [], addresses]);
    assert.match(service.takeMessages(), /AddressKept: public IP \S+ stays allocated: the Service says so/);
    const later = new TestService({ uid: 'later', loadBalancerIp: addresses[0] ?? '' });
    await cloud()
      .controller()
      .ensure(later, cloud().nodes(...NODES));
    await cloud().controller().delete(later);
    assert.deepEqual(cloud().addresses(), addresses, 'not released by another Service either');
  });

  it('of another network are refused before anything is written', async () => {
    await associateByHand(cloud(), '203.0.113.40', 'other-net');
    const writes = cloud().lastWrite;
    const service = new TestService({ loadBalancerIp: '203.0.113.40' });
    await assert.rejects(
      cloud()
        .controller()
        .ensure(service, cloud().nodes(...NODES)),
      /203\.0\.113\.40 is associated with network other-net, not with net-iso/,
    );
    assert.deepEqual(cloud().writesSince(writes), []);
  });

  it('that somebody released and took again are not ours to release any more', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    const [address = ''] = cloud().addresses();
    using scope = Scope.root();
    await completed(scope, cloud().client.disassociateIpAddress(scope, { id: cloud().addressId(address) }));
    await associateByHand(cloud(), address);
    cloud().simulator.state.publicIps.update(cloud().addressId(address), { allocated: Date.now() + 60_000 });
    await controller.ensure(service, cloud().nodes(...NODES));
    assert.equal(service.annotation('ip-associated-by-controller'), undefined);
    await controller.delete(service);
    assert.deepEqual(cloud().addresses(), [address]);
  });
});

describe('53: an address that CloudStack 4.17 hands out with the tags of its former owner', () => {
  const cloud = withCloud({ version: '4.17' });

  it('is used, marked as ours, and released at the end', async () => {
    const stale = new TestService({ uid: 'former', name: 'former', loadBalancerIp: '203.0.113.34' });
    await cloud()
      .controller()
      .ensure(stale, cloud().nodes(...NODES));
    const tags = [...cloud().simulator.state.tags.values()].filter((tag) => tag.resourceType === 'PublicIpAddress');
    await cloud().controller().delete(stale);
    for (const tag of tags) {
      if (!cloud().simulator.state.tags.get(tag.id)) cloud().simulator.state.tags.add({ ...tag, value: 'stranger' });
    }
    const service = new TestService({ loadBalancerIp: '203.0.113.34' });
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    const now = [...cloud().simulator.state.tags.values()].filter((tag) => tag.resourceType === 'PublicIpAddress');
    assert.ok(now.some((tag) => tag.value === service.view.uid));
    assert.ok(!now.some((tag) => tag.value === 'stranger'));
    await controller.delete(service);
    assert.deepEqual(cloud().addresses(), []);
  });
});

function never(): never {
  throw new Error('the scene has no such object');
}
