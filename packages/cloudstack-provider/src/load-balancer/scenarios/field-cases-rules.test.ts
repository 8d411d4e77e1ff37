import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isolatedScene } from '../testing/cloud.ts';
import { LB, port, TestService } from '../testing/service.ts';
import { withCloud } from '../testing/with-cloud.ts';

const NODES = ['node-1', 'node-2', 'node-3'];

/** Numbers are those of the list of cases from the field. */
describe('changing rules, as users did', () => {
  const cloud = withCloud();

  it('26: PROXY protocol on and off changes the rule in place; a mistyped value changes nothing', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    const [id] = cloud().ruleIds();
    const [address] = cloud().addresses();
    const firewall = cloud().firewall();
    service.annotate({ 'proxy-protocol': 'true' });
    await controller.ensure(service, cloud().nodes(...NODES));
    assert.match(
      cloud().rules()[0] ?? '',
      new RegExp(`^${LB}-tcp-proxy-80 ${address}:80 → 31080 tcp-proxy roundrobin`),
    );
    service.annotate({ 'proxy-protocol': null });
    await controller.ensure(service, cloud().nodes(...NODES));
    assert.match(cloud().rules()[0] ?? '', new RegExp(`^${LB}-tcp-80 ${address}:80 → 31080 tcp roundrobin`));
    service.takeReasons();
    service.annotate({ 'proxy-protocol': 'enabled' });
    const before = cloud().lastWrite;
    await assert.rejects(controller.ensure(service, cloud().nodes(...NODES)), /proxy-protocol: "enabled" is neither/);
    assert.deepEqual(service.takeReasons(), ['InvalidService']);
    assert.deepEqual(cloud().writesSince(before), []);
    assert.deepEqual([cloud().ruleIds(), cloud().firewall()], [[id], firewall]);
    assert.deepEqual(cloud().members(), NODES);
  });

  it('28: another node port replaces that rule alone, on the same address, and the user is told', async () => {
    const service = new TestService({ ports: [port('80:31080'), port('443:31443')] });
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    const [before, firewall, addresses] = [cloud().rules(), cloud().firewall(), cloud().addresses()];
    const https = cloud().ruleOf(443);
    service.takeReasons();
    service.edit({ ports: [port('80:32000'), port('443:31443')] });
    const writes = cloud().lastWrite;
    await controller.ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(cloud().writesSince(writes), [
      'deleteLoadBalancerRule',
      'createLoadBalancerRule',
      'assignToLoadBalancerRule',
    ]);
    assert.deepEqual(
      cloud().rules(),
      before.map((rule) => rule.replace('31080', '32000')),
    );
    assert.deepEqual([cloud().firewall(), cloud().addresses()], [firewall, addresses]);
    assert.deepEqual(cloud().ruleOf(443), https);
    assert.match(service.takeMessages(), /^TrafficInterrupted: port 80 is interrupted/);
  });

  it('29: session affinity changes the algorithm in place; an unknown one changes nothing', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    const ids = cloud().ruleIds();
    for (const [sessionAffinity, algorithm] of [
      ['ClientIP', 'source'],
      ['None', 'roundrobin'],
    ] as const) {
      service.edit({ sessionAffinity });
      await controller.ensure(service, cloud().nodes(...NODES));
      assert.match(cloud().rules()[0] ?? '', new RegExp(` ${algorithm} `));
    }
    service.edit({ sessionAffinity: 'Other' });
    service.takeReasons();
    const before = cloud().lastWrite;
    await assert.rejects(
      controller.ensure(service, cloud().nodes(...NODES)),
      /unsupported load balancer affinity: Other/,
    );
    assert.match(service.takeMessages(), /^InvalidService: unsupported load balancer affinity: Other/);
    assert.deepEqual(cloud().writesSince(before), []);
    assert.deepEqual(cloud().ruleIds(), ids);
  });

  it('30: another Service port gets its rule before the old one goes; other rules are not written to', async () => {
    const service = new TestService({ ports: [port('80:31080'), port('443:31443')] });
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    const [address] = cloud().addresses();
    const https = cloud().ruleOf(443);
    service.edit({ ports: [port('8080:31080'), port('443:31443')] });
    const writes = cloud().lastWrite;
    await controller.ensure(service, cloud().nodes(...NODES));
    // Members and opening of the new rule do not wait for each other, and nothing waits for marks.
    const changes = cloud()
      .writesSince(writes)
      .filter((command) => command !== 'createTags');
    assert.equal(changes[0], 'createLoadBalancerRule');
    assert.deepEqual(changes.slice(1, 3).toSorted(), ['assignToLoadBalancerRule', 'createFirewallRule']);
    assert.deepEqual(changes.slice(3), ['deleteFirewallRule', 'deleteLoadBalancerRule']);
    assert.deepEqual(cloud().addresses(), [address]);
    assert.deepEqual(cloud().ruleOf(443), https);
    assert.deepEqual(cloud().rules(), [
      `${LB}-tcp-443 ${address}:443 → 31443 tcp roundrobin [node-1,node-2,node-3] (0.0.0.0/0)`,
      `${LB}-tcp-8080 ${address}:8080 → 31080 tcp roundrobin [node-1,node-2,node-3] (0.0.0.0/0)`,
    ]);
    assert.deepEqual(cloud().firewall(), [`${address} tcp 443-443 0.0.0.0/0`, `${address} tcp 8080-8080 0.0.0.0/0`]);
  });

  it('31: a rule of the provider that was part of Kubernetes is renamed, and nothing else', async () => {
    const service = new TestService();
    const { address, ruleId } = await cloud().handMade(`${LB}-80`, { protocol: 'TCP', members: NODES });
    service.edit({ ingress: [{ ip: address }] });
    const [before, firewall] = [cloud().lastWrite, cloud().firewall()];
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    const writes = cloud()
      .writesSince(before)
      .filter((command) => command !== 'createTags');
    assert.deepEqual(writes, ['updateLoadBalancerRule']);
    assert.deepEqual(cloud().ruleIds(), [ruleId]);
    assert.match(cloud().rules()[0] ?? '', new RegExp(`^${LB}-tcp-80 `));
    assert.deepEqual([cloud().addresses(), cloud().firewall(), cloud().members()], [[address], firewall, NODES]);
  });

  it('32: of two rules alike, the one on the published address stays; the other goes with its address', async () => {
    const service = new TestService();
    const other = await cloud().handMade(`${LB}-tcp-80`, { members: NODES });
    const published = await cloud().handMade(`${LB}-tcp-80`, { members: NODES });
    service.edit({ ingress: [{ ip: published.address }] });
    const status = await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(status, { ingress: [{ ip: published.address }] });
    assert.deepEqual(cloud().ruleIds(), [published.ruleId]);
    assert.deepEqual(cloud().addresses(), [published.address]);
    assert.deepEqual(cloud().firewall(), [`${published.address} tcp 80-80 0.0.0.0/0`]);
    assert.notEqual(other.address, published.address);
  });

  it('57: a UDP port on a virtual router is refused by name; the TCP port is served', async () => {
    const service = new TestService({ ports: [port('80:31080'), port('5353/UDP:31053')] });
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.equal(cloud().rules().length, 1);
    assert.match(
      service.takeMessages(),
      /PortNotSupported: port 5353\/UDP is not served: VirtualRouter of network net-iso/,
    );
  });

  it('57: nothing is allocated for a Service that has nothing else to serve', async () => {
    const service = new TestService({ ports: [port('5353/UDP:31053')] });
    const before = cloud().lastWrite;
    await assert.rejects(
      cloud()
        .controller()
        .ensure(service, cloud().nodes(...NODES)),
      /5353\/UDP/,
    );
    assert.deepEqual(service.takeReasons(), ['PortNotSupported']);
    assert.deepEqual(cloud().writesSince(before), []);
    assert.equal(service.annotationWrites, 0);
  });

  it('57: a Service that turns from TCP to UDP loses its rules and keeps its address', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    const addresses = cloud().addresses();
    service.edit({ ports: [port('80/UDP:31080')] });
    await assert.rejects(controller.ensure(service, cloud().nodes(...NODES)), /80\/UDP/);
    assert.deepEqual([cloud().rules(), cloud().firewall(), cloud().addresses()], [[], [], addresses]);
    await controller.delete(service);
    assert.deepEqual(cloud().addresses(), []);
  });

  it('60: a port that CloudStack refuses holds up no other, and no further address is taken', async () => {
    const service = new TestService({ ports: [port('8081:31081'), port('80:31080')] });
    const controller = cloud().controller();
    for (const _ of [1, 2]) {
      await assert.rejects(
        controller.ensure(service, cloud().nodes(...NODES)),
        /LB service provider cannot support this rule/,
      );
    }
    assert.match(service.takeMessages(), /RuleRefused: tcp port 8081 .* refused: LB service provider cannot .*8081/);
    assert.equal(cloud().rules().length, 1);
    assert.equal(cloud().addresses().length, 1);
    assert.equal(cloud().firewall().length, 1);
  });

  it('68: the status says Proxy as long as the PROXY protocol is on, unless the user says otherwise', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    const statuses: unknown[] = [];
    for (const changes of [
      { 'proxy-protocol': 'true' },
      { 'ip-mode': 'VIP' },
      { 'proxy-protocol': null, 'ip-mode': null },
    ]) {
      service.annotate(changes);
      statuses.push((await controller.ensure(service, cloud().nodes(...NODES))).ingress[0]?.ipMode);
    }
    assert.deepEqual(statuses, ['Proxy', undefined, undefined]);
  });

  it('tells of an annotation that nobody knows, and serves all the same', async () => {
    const service = new TestService();
    service.annotate({ 'proxy-protocl': 'true' });
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.match(
      service.takeMessages(),
      /UnknownAnnotation: .*did you mean service\.beta\.kubernetes\.io\/cloudstack-load-balancer-proxy-protocol\?/,
    );
    assert.equal(cloud().rules().length, 1);
  });
});

describe('27: PROXY protocol on CloudStack 4.20', () => {
  const cloud = withCloud({ version: '4.20' });

  it('reaches the router too, by a change of algorithm there and back, on the same rule', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    const [ids, writes] = [cloud().ruleIds(), cloud().lastWrite];
    service.annotate({ 'proxy-protocol': 'true' });
    await controller.ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(cloud().writesSince(writes), ['updateLoadBalancerRule', 'updateLoadBalancerRule']);
    assert.match(cloud().rules()[0] ?? '', /tcp-proxy roundrobin \[node-1,node-2,node-3\]/);
    assert.deepEqual(cloud().ruleIds(), ids);
  });
});

describe('59: a network without load balancing', () => {
  const cloud = withCloud({
    scene: (world) => {
      isolatedScene(world);
      world.network({
        name: 'net-shared',
        owner: 'k8s',
        offering: 'DefaultSharedNetworkOffering',
        cidr: '10.7.1.0/24',
      });
      world.virtualMachine({ name: 'shared-1', owner: 'k8s', networks: ['net-shared'] });
    },
  });

  it('is named with its offering, and nothing is allocated', async () => {
    const service = new TestService();
    const before = cloud().lastWrite;
    await assert.rejects(cloud().controller().ensure(service, cloud().nodes('shared-1')), /no Lb service/);
    assert.match(service.takeMessages(), /^LoadBalancingNotOffered: .*net-shared.*DefaultSharedNetworkOffering/);
    assert.deepEqual(cloud().writesSince(before), []);
  });
});
