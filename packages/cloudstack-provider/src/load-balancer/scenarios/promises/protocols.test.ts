import assert from 'node:assert/strict';
import { completed } from '@cloudstack-ccm/cloudstack-client';
import { Scope } from '@cloudstack-ccm/base';
import { everywhere, type Stand } from '../../testing/promises.ts';
import { LB, port, TestService } from '../../testing/service.ts';

everywhere({
  'R20, R21, R22, R26, R73: TCP becomes tcp-proxy and back in place, in name, in its router and in the status': async (
    at,
  ) => {
    const service = new TestService();
    await at.ensure(service);
    const [ids, [address = '']] = [at.cloud.ruleIds(), at.cloud.addresses()];
    for (const [value, protocol] of [
      ['true', 'tcp-proxy'],
      ['false', 'tcp'],
    ] as const) {
      service.annotate({ 'proxy-protocol': value });
      const writes = await at.writesOf(async () => {
        const { ingress } = await at.ensure(service);
        const ipMode = value === 'true' ? { ipMode: 'Proxy' } : {};
        assert.deepEqual(ingress, [{ ip: address, ...ipMode }], 'nobody in the cluster may get around it');
      });
      assert.deepEqual(writes, at.place.protocolChange);
      assert.match(at.rules, new RegExp(`^${LB}-${protocol}-80 ${address}:80 → 31080 ${protocol} roundrobin `));
    }
    assert.deepEqual(at.cloud.ruleIds(), ids);
  },

  'R20: UDP on a virtual router is told, and the TCP ports are served': async (at) => {
    const service = new TestService({ ports: [port('80:31080'), port('53/UDP:31053')] });
    await at.ensure(service);
    assert.match(at.rules, new RegExp(`^${LB}-tcp-80 [^\n]*$`));
    // Old releases do not name providers.
    const provider = at.place.associates === 'vpcid' ? 'VpcVirtualRouter' : 'VirtualRouter';
    const router = at.place.version === '4.14' ? 'the virtual router' : provider;
    assert.match(
      service.takeMessages(),
      new RegExp(`PortNotSupported: port 53/UDP is not served: ${router} of network ${at.network.name}`),
    );
  },

  'R26, R27, R30, R51: what is written wrongly is named, and nothing is written': async (at) => {
    for (const [wrong, words] of [
      [{ 'source-cidrs': '10.0.0.0/8, intern' }, /invalid CIDR "intern"/],
      [{ 'proxy-protocol': 'enabled' }, /neither "true" nor "false"/],
      [{ hostname: 'not a name' }, /hostname.*not a name/],
    ] as const) {
      const service = new TestService();
      service.annotate(wrong);
      await assert.rejects(at.ensure(service), words);
      assert.match(service.takeMessages(), new RegExp(`^InvalidService: .*${words.source}`));
    }
    const affine = new TestService({ sessionAffinity: 'Other' });
    await assert.rejects(at.ensure(affine), /unsupported load balancer affinity/);
    assert.match(affine.takeMessages(), /^InvalidService: unsupported load balancer affinity: Other/);
    assert.deepEqual(at.cloud.writesSince(0), []);
  },

  'R27: the status shows the host name instead of the address, by whichever way it is asked for': async (at) => {
    const service = new TestService();
    service.annotate({ hostname: 'lb.example.com' });
    assert.deepEqual(await at.ensure(service), { ingress: [{ hostname: 'lb.example.com' }] });
    assert.deepEqual(await at.cloud.controller().get(service), { ingress: [{ hostname: 'lb.example.com' }] });
  },

  'R50, R52: session affinity says which algorithm, in place, and an annotation may say otherwise': async (at) => {
    const service = new TestService();
    await at.ensure(service);
    const ids = at.cloud.ruleIds();
    assert.match(at.rules, / tcp roundrobin \[/);
    for (const [sessionAffinity, annotation, algorithm] of [
      ['ClientIP', null, 'source'],
      ['None', null, 'roundrobin'],
      ['ClientIP', 'leastconn', 'leastconn'],
    ] as const) {
      service.edit({ sessionAffinity });
      service.annotate({ algorithm: annotation });
      assert.deepEqual(await at.writesOf(() => at.ensure(service)), ['updateLoadBalancerRule']);
      assert.match(at.rules, new RegExp(` tcp ${algorithm} \\[`));
    }
    assert.deepEqual(at.cloud.ruleIds(), ids);
  },

  'R73, R74: a rule of the provider that was part of Kubernetes is taken over by its new name': async (at) => {
    const { address, id } = await ruleOfOldProvider(at);
    const service = new TestService({ ingress: [{ ip: address }] });
    const writes = await at.writesOf(() => at.ensure(service));
    assert.equal(writes.filter((command) => command.endsWith('LoadBalancerRule')).join(), 'updateLoadBalancerRule');
    assert.deepEqual([at.cloud.ruleIds(), at.cloud.addresses()], [[id], [address]]);
    assert.match(at.rules, new RegExp(`^${LB}-tcp-80 ${address}:80 → 31080 TCP roundrobin \\[node-1,node-2,node-3\\]`));
    assert.deepEqual(at.opened, ['80 0.0.0.0/0']);
    await at.delete(service);
    assert.deepEqual([at.cloud.rules(), at.opened], [[], []]);
  },

  'R148: a port that the router keeps for itself is told with the reason, and the others are served': async (at) => {
    const service = new TestService({ ports: [port('8081:31081'), port('80:31080'), port('30443:31443')] });
    for (const _ of [1, 2]) await assert.rejects(at.ensure(service), /LB service provider cannot support this rule/);
    assert.match(service.takeMessages(), /^RuleRefused: tcp port 8081 .*LB service provider cannot .*statistics/m);
    assert.deepEqual(at.opened, ['30443 0.0.0.0/0', '80 0.0.0.0/0']);
    assert.deepEqual([at.cloud.rules().length, at.cloud.addresses().length], [2, 1]);
  },
});

async function ruleOfOldProvider(at: Stand): Promise<{ readonly address: string; readonly id: string }> {
  using scope = Scope.root();
  const { client } = at.cloud;
  const address = await at.takeAddress();
  const { id } = await completed(
    scope,
    client.createLoadBalancerRule(scope, {
      name: `${LB}-80`,
      protocol: 'TCP',
      algorithm: 'roundrobin',
      publicIpId: at.cloud.addressId(address),
      publicPort: 80,
      privatePort: 31_080,
      openFirewall: false,
      ...(at.place.associates === 'vpcid' && { networkId: at.network.id }),
    }),
  );
  const virtualMachineIds = at.nodes.map(({ name }) => at.cloud.machineId(name));
  await completed(scope, client.assignToLoadBalancerRule(scope, { id, virtualMachineIds }));
  return { address, id };
}
