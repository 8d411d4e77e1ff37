import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Scope } from '@cloudstack-ccm/base';
import { completed } from '@cloudstack-ccm/cloudstack-client';
import { LB, port, TestService } from '../testing/service.ts';
import { addItem, items, vpcScene } from '../testing/vpc.ts';
import { hands, withCloud } from '../testing/with-cloud.ts';

/** Numbers are those of the list of cases from the field. */
for (const version of ['4.14', '4.20', '4.22', '4.23']) {
  describe(`a tier that others use too, on CloudStack ${version}`, () => {
    const cloud = withCloud({ version, scene: vpcScene() });
    const { ensure, remove } = hands(cloud);

    it('56: items of CloudStack’s Kubernetes service stay, however they spell the protocol', async () => {
      const theirs = [
        { protocol: 'TCP', startPort: 6443, endPort: 6443 },
        { protocol: 'TCP', startPort: 2222, endPort: 2224 },
        { protocol: 'TCP', startPort: 80, endPort: 80 },
      ];
      for (const item of theirs) await addItem(cloud(), item);
      const before = [...cloud().simulator.state.aclItems.values()];
      const service = new TestService({ ports: [port('80:31080'), port('6443:31443')] });
      await ensure(service);
      service.edit({ loadBalancerSourceRanges: ['192.0.2.0/24'], ports: [port('80:31080')] });
      await ensure(service);
      assert.deepEqual(items(cloud()), [
        'Ingress Allow TCP 6443 0.0.0.0/0',
        'Ingress Allow TCP 2222 0.0.0.0/0',
        'Ingress Allow TCP 80 0.0.0.0/0',
        `Ingress Allow tcp 80 192.0.2.0/24 Managed by the CloudStack Kubernetes Provider for ${LB}`,
      ]);
      await remove(service);
      assert.deepEqual([...cloud().simulator.state.aclItems.values()], before);
    });

    it('60: a port that the router keeps for itself holds up no other, and takes no address again', async () => {
      const service = new TestService({ ports: [port('8081:31081'), port('80:31080')] });
      for (const _ of [1, 2, 3]) await assert.rejects(ensure(service), /LB service provider cannot support this rule/);
      assert.match(service.takeMessages(), /RuleRefused: tcp port 8081 .* cannot support this rule.*statistics/);
      assert.deepEqual(cloud().members(), ['node-1', 'node-2', 'node-3']);
      assert.match(cloud().rules().join(), /:80 → 31080/);
      assert.equal(cloud().simulator.callLog.counts['associateIpAddress'], 1);
    });

    it('72: an address that a rule binds to another tier is refused before anything is written', async () => {
      const other = new TestService({ uid: 'other', loadBalancerIp: '203.0.113.36', ports: [port('81')] });
      await cloud().controller().ensure(other, cloud().nodes('elsewhere'));
      const writes = cloud().lastWrite;
      const service = new TestService({ loadBalancerIp: '203.0.113.36' });
      const words = '203\\.0\\.113\\.36 is bound to network other-tier by a rule, so net-tier cannot use it';
      await assert.rejects(ensure(service), new RegExp(words));
      assert.match(service.takeMessages(), new RegExp(`^AddressNotUsable: .*${words}`, 'm'));
      assert.deepEqual(cloud().writesSince(writes), []);
    });

    it('72: it can be used once the other tier has let it go', async () => {
      using scope = Scope.root();
      const { vpcId } = cloud().simulator.state.networks.find(({ name }) => name === 'net-tier') ?? {};
      const { ipAddress } = await completed(scope, cloud().client.associateIpAddress(scope, { vpcId }));
      const other = new TestService({ uid: 'other', loadBalancerIp: ipAddress, ports: [port('81')] });
      await cloud().controller().ensure(other, cloud().nodes('elsewhere'));
      const service = new TestService({ loadBalancerIp: ipAddress });
      await assert.rejects(ensure(service));
      await remove(other);
      assert.deepEqual(await ensure(service), { ingress: [{ ip: ipAddress }] });
    });
  });
}
