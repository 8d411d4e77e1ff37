import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LB, port, TestService } from '../testing/service.ts';
import { addItem, items, vpcScene } from '../testing/vpc.ts';
import { withCloud } from '../testing/with-cloud.ts';

const NODES = ['node-1', 'node-2', 'node-3'];

const REASON = `Managed by the CloudStack Kubernetes Provider for ${LB}`;

/** Numbers are those of the list of cases from the field. */
describe('a tier of a VPC with an ACL list of its own', () => {
  const cloud = withCloud({ version: '4.22.1', scene: vpcScene() });

  it('39: sources go on the rule and on an item of its own; items made by hand stay', async () => {
    await addItem(cloud(), { startPort: 443, endPort: 443, action: 'Deny' });
    await addItem(cloud(), { startPort: 443, endPort: 443, trafficType: 'Egress' });
    const service = new TestService({ ports: [port('443:31443')], loadBalancerSourceRanges: ['203.0.113.0/24'] });
    service.annotate({ 'proxy-protocol': 'true' });
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    const [address] = cloud().addresses();
    assert.deepEqual(cloud().rules(), [
      `${LB}-tcp-proxy-443 ${address}:443 → 31443 tcp-proxy roundrobin [node-1,node-2,node-3] (203.0.113.0/24)`,
    ]);
    assert.deepEqual(items(cloud()), [
      'Ingress Deny tcp 443 0.0.0.0/0',
      'Egress Allow tcp 443 0.0.0.0/0',
      `Ingress Allow tcp 443 203.0.113.0/24 ${REASON}`,
    ]);
    const calls = cloud().callsSince(0);
    assert.ok(
      calls.every(({ command }) => !command.includes('Firewall')),
      'a firewall command was sent',
    );
    const associated = calls.find(({ command }) => command === 'associateIpAddress')?.parameters;
    assert.equal(associated?.['vpcid'], cloud().simulator.state.vpcs.find(({ name }) => name === 'vpc-1')?.id);
    assert.match(
      service.takeMessages(),
      /NetworkAclShadowed: item number 1 of network ACL acl-custom denies tcp port 443/,
    );
    const writes = cloud().lastWrite;
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(cloud().writesSince(writes), []);
    await cloud().controller().delete(service);
    assert.equal(items(cloud()).length, 2);
    assert.deepEqual([cloud().rules(), cloud().addresses()], [[], []]);
  });

  it('39: changed ranges change rule and item in place', async () => {
    const service = new TestService({ loadBalancerSourceRanges: ['203.0.113.0/24'] });
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    const writes = cloud().lastWrite;
    service.edit({ loadBalancerSourceRanges: ['192.0.2.0/24', '198.51.100.0/24'] });
    await controller.ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(cloud().writesSince(writes), ['updateLoadBalancerRule', 'updateNetworkACLItem']);
    assert.match(cloud().rules()[0] ?? '', /\(192\.0\.2\.0\/24,198\.51\.100\.0\/24\)$/);
    assert.deepEqual(items(cloud()), [`Ingress Allow tcp 80 192.0.2.0/24,198.51.100.0/24 ${REASON}`]);
  });

  it('42: two Services on one port have an item each, and an item made by hand stays', async () => {
    await addItem(cloud(), { startPort: 9090, endPort: 9090, reason: 'ops' });
    const named = (name: string, number: string): TestService =>
      new TestService({ name, uid: `uid-${name}`, ports: [port(number)] });
    const [a, b, c] = [named('a', '8080'), named('b', '8080'), named('c', '9090')] as const;
    const controller = cloud().controller();
    for (const service of [a, b, c]) await controller.ensure(service, cloud().nodes(...NODES));
    assert.equal(cloud().addresses().length, 3);
    await controller.delete(a);
    assert.equal(items(cloud()).filter((item) => item.includes('8080')).length, 1);
    await controller.delete(c);
    assert.ok(items(cloud()).includes('Ingress Allow tcp 9090 0.0.0.0/0 ops'));
    await controller.delete(b);
    assert.deepEqual(items(cloud()), ['Ingress Allow tcp 9090 0.0.0.0/0 ops']);
  });

  it('works without items when the role may not touch them, and says so', async () => {
    cloud().fail('listNetworkACLs', { kind: 'api-error', code: 432, text: 'not available' });
    const service = new TestService();
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.ok(service.takeReasons().includes('NetworkAclNotPermitted'));
    assert.equal(cloud().rules().length, 1);
    cloud().simulator.faults.clear();
    cloud().fail('createNetworkACL', { kind: 'api-error', code: 432, text: 'not available' });
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.ok(service.takeReasons().includes('NetworkAclNotPermitted'));
  });

  it('never uses the source NAT address of the VPC', async () => {
    const sourceNat = cloud().simulator.state.publicIps.find((ip) => ip.isSourceNat);
    const service = new TestService({ loadBalancerIp: sourceNat?.address ?? '' });
    await assert.rejects(
      cloud()
        .controller()
        .ensure(service, cloud().nodes(...NODES)),
      /is the source NAT address of the VPC/,
    );
  });
});

for (const [title, acl, words] of [
  ['40: a tier with a built-in ACL list', 'default_deny', /built-in network ACL list default_deny/],
  ['41: a tier without an ACL list', 'none', /has no network ACL list/],
] as const) {
  describe(title, () => {
    const cloud = withCloud({ version: '4.22.1', scene: vpcScene({ acl }) });

    it('is served, nothing is added to a list, and one event says why', async () => {
      const service = new TestService();
      const lists = cloud().simulator.state.aclLists.size;
      for (const _ of [1, 2]) {
        const { ingress } = await cloud()
          .controller()
          .ensure(service, cloud().nodes(...NODES));
        assert.deepEqual(ingress, [{ ip: cloud().addresses()[0] }]);
      }
      const messages = new Set(service.takeMessages().split('\n'));
      assert.equal(messages.size, 2, 'one of the address, one of the list');
      assert.ok([...messages].some((message) => message.startsWith('NetworkAclNotEditable') && words.test(message)));
      assert.deepEqual([items(cloud()), cloud().simulator.state.aclLists.size], [[], lists]);
      assert.deepEqual(cloud().members(), NODES);
    });
  });
}

describe('43: a VPC that offers firewall rules (4.23)', () => {
  const cloud = withCloud({
    version: '4.23',
    scene: vpcScene({ firewall: true, acl: 'none' }),
  });

  it('gets a firewall rule and no ACL item, and nothing is left at the end', async () => {
    const service = new TestService({ loadBalancerSourceRanges: ['192.0.2.0/24'] });
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    const [address] = cloud().addresses();
    assert.deepEqual(cloud().firewall(), [`${address} tcp 80-80 192.0.2.0/24`]);
    assert.match(cloud().rules()[0] ?? '', /\(0\.0\.0\.0\/0\)$/);
    assert.deepEqual(items(cloud()), []);
    const writes = cloud().lastWrite;
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(cloud().writesSince(writes), []);
    await cloud().controller().delete(service);
    assert.deepEqual([cloud().rules(), cloud().firewall(), cloud().addresses()], [[], [], []]);
    assert.ok(
      cloud()
        .callsSince(0)
        .every(({ command }) => !command.includes('NetworkACL')),
    );
  });
});

describe('44: a tier that belongs to a project', () => {
  const cloud = withCloud({ version: '4.22.1', scene: vpcScene({ owner: 'team' }), project: 'team' });

  it('never gets an item twice, and every command that takes a project is sent with it', async () => {
    const service = new TestService({ ports: [port('8080')] });
    const before = cloud().lastCall;
    for (const _ of [1, 2, 3])
      await cloud()
        .controller()
        .ensure(service, cloud().nodes(...NODES));
    assert.equal(items(cloud()).length, 1);
    await cloud().controller().delete(service);
    assert.deepEqual([items(cloud()), cloud().rules(), cloud().addresses()], [[], [], []]);
    const project = cloud().simulator.state.projects.find((one) => one.name === 'team');
    const perObject = new Set(['listLoadBalancerRuleInstances', 'listLBStickinessPolicies']);
    for (const call of cloud().callsSince(before)) {
      const takes =
        (call.command.startsWith('list') && !perObject.has(call.command)) || call.command.startsWith('associate');
      if (takes) assert.equal(call.parameters['projectid'], project?.id, call.command);
    }
  });
});
