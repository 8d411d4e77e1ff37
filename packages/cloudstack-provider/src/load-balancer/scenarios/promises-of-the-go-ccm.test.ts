import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { completed } from '@cloudstack-ccm/cloudstack-client';
import { Scope } from '@cloudstack-ccm/base';
import type { Cloud } from '../testing/cloud.ts';
import { LB, port, TestService } from '../testing/service.ts';
import { inPlace, opened, openedByAcl, PLACES } from '../testing/worlds.ts';

const NODES = ['node-1', 'node-2', 'node-3'];

/** Releases of CloudStack that take a source list for a rule, and that can change it. */
const WITH_SOURCES = new Set(['4.18', '4.20', '4.22', '4.23']);
const CHANGING_SOURCES = new Set(['4.22', '4.23']);

/** What users of the Go CCM were promised, in every kind of network. Numbers keep related promises together. */
for (const place of PLACES) {
  describe(`in ${place.where}, on CloudStack ${place.version}`, () => {
    const cloud = inPlace(place);
    const nodes = () => cloud().nodes(...NODES);
    const ensure = (service: TestService) => cloud().controller().ensure(service, nodes());
    const hasSources = WITH_SOURCES.has(place.version);

    it('R20, R26, R73: TCP becomes tcp-proxy and back in place, and its name says which', async () => {
      const service = new TestService();
      await ensure(service);
      const [ids, [address = '']] = [cloud().ruleIds(), cloud().addresses()];
      for (const [value, protocol] of [
        ['true', 'tcp-proxy'],
        ['false', 'tcp'],
      ] as const) {
        service.annotate({ 'proxy-protocol': value });
        const { ingress } = await ensure(service);
        const ipMode = value === 'true' ? { ipMode: 'Proxy' } : {};
        assert.deepEqual(ingress, [{ ip: address, ...ipMode }], 'R22: nobody in the cluster may get around it');
        assert.match(cloud().rules().join(), new RegExp(`^${LB}-${protocol}-80 ${address}:80 → 31080 ${protocol} `));
      }
      assert.deepEqual(cloud().ruleIds(), ids);
    });

    it('R27: the status shows the host name instead of the address', async () => {
      const service = new TestService();
      service.annotate({ hostname: 'lb.example.com' });
      assert.deepEqual(await ensure(service), { ingress: [{ hostname: 'lb.example.com' }] });
    });

    it('R28, R29, R31, R32, R39: source-cidrs restricts the rule alone', async () => {
      const service = new TestService();
      service.annotate({ 'source-cidrs': ' 10.0.0.0/8 , 192.168.1.0/24 ' });
      await ensure(service);
      const ids = cloud().ruleIds();
      if (place.access === 'firewall') assert.deepEqual(opened(cloud()), ['80 0.0.0.0/0']);
      if (!hasSources) {
        assert.ok(service.takeReasons().includes('SourceRangesNotEnforced'), 'nobody was told that it has no effect');
        return;
      }
      assert.match(cloud().rules().join(), /\(10\.0\.0\.0\/8,192\.168\.1\.0\/24\)$/);
      service.takeReasons();
      service.annotate({ 'source-cidrs': '172.16.0.0/12' });
      await ensure(service);
      assert.match(cloud().rules().join(), /\(172\.16\.0\.0\/12\)$/);
      assert.equal(cloud().ruleIds().join() === ids.join(), CHANGING_SOURCES.has(place.version));
      assert.equal(service.takeReasons().includes('TrafficInterrupted'), !CHANGING_SOURCES.has(place.version));
      service.annotate({ 'source-cidrs': '' });
      await ensure(service);
      assert.match(cloud().rules().join(), /\(0\.0\.0\.0\/0\)$/);
    });

    it('R30, R51: what is written wrongly is told, and nothing is written', async () => {
      for (const [wrong, words] of [
        [{ 'source-cidrs': '10.0.0.0/8, intern' }, /invalid CIDR "intern"/],
        [{ 'proxy-protocol': 'enabled' }, /neither "true" nor "false"/],
      ] as const) {
        const service = new TestService();
        service.annotate(wrong);
        await assert.rejects(ensure(service), words);
        assert.deepEqual(service.takeReasons(), ['InvalidService']);
      }
      const affine = new TestService({ sessionAffinity: 'Other' });
      await assert.rejects(ensure(affine), /unsupported load balancer affinity/);
      assert.deepEqual(cloud().writesSince(0), []);
    });

    it('R33, R34, R35: an address that the controller took is noted, and released by the last Service on it', async () => {
      const first = new TestService();
      await ensure(first);
      assert.equal(first.annotation('ip-associated-by-controller'), 'true');
      const [address = ''] = cloud().addresses();
      const second = new TestService({ uid: 'second', name: 'second', loadBalancerIp: address, ports: [port('81')] });
      await ensure(second);
      await cloud().controller().delete(first);
      assert.deepEqual(cloud().addresses(), [address]);
      await cloud().controller().delete(second);
      assert.deepEqual(cloud().addresses(), []);
    });

    it('R38, R40, R41, R45, R53, R54: what opens ports follows the source ranges exactly', async () => {
      const service = new TestService();
      for (const ranges of [[], ['192.0.2.0/24'], ['192.0.2.0/24', '198.51.100.0/24'], ['198.51.100.0/24'], []]) {
        service.edit({ loadBalancerSourceRanges: ranges });
        await ensure(service);
        assert.deepEqual(opened(cloud()), [`80 ${ranges.join() || '0.0.0.0/0'}`]);
        assert.deepEqual(place.access === 'acl' ? cloud().firewall() : openedByAcl(cloud()), []);
        if (place.access === 'acl' && hasSources) {
          assert.ok(
            cloud()
              .rules()
              .join()
              .endsWith(`(${ranges.join() || '0.0.0.0/0'})`),
            'the rule itself filters',
          );
        }
      }
      const created = cloud()
        .callsSince(0)
        .filter(({ command }) => command === 'createLoadBalancerRule');
      assert.ok(created.every(({ parameters }) => parameters['openfirewall'] === 'false'));
    });

    it('R46, R49: an address that the user has is used, and stays when the Service goes', async () => {
      const address = await associate(cloud());
      const service = new TestService({ loadBalancerIp: address });
      assert.deepEqual(await ensure(service), { ingress: [{ ip: address }] });
      assert.equal(service.annotation('ip-associated-by-controller'), undefined);
      await cloud().controller().delete(service);
      assert.deepEqual([cloud().addresses(), cloud().rules(), opened(cloud())], [[address], [], []]);
    });

    it('R47: an address that is nowhere to be seen is told, and nothing is written', async () => {
      await assert.rejects(ensure(new TestService({ loadBalancerIp: '198.51.100.9' })), /could not find IP address/);
      assert.deepEqual(cloud().writesSince(0), []);
    });

    it('R48, R53: a free address is associated, with the VPC where there is one', async () => {
      const service = new TestService({ loadBalancerIp: '203.0.113.40' });
      await ensure(service);
      const associated = cloud()
        .callsSince(0)
        .find(({ command }) => command === 'associateIpAddress');
      const inVpc = place.where.includes('VPC');
      assert.equal(associated?.parameters['vpcid'] !== undefined, inVpc);
      assert.equal(associated?.parameters['networkid'] !== undefined, !inVpc);
      await cloud().controller().delete(service);
      assert.deepEqual(cloud().addresses(), []);
    });

    it('R50, R52: session affinity says which algorithm, in place, and an annotation may say otherwise', async () => {
      const service = new TestService();
      await ensure(service);
      const ids = cloud().ruleIds();
      for (const [sessionAffinity, annotation, algorithm] of [
        ['ClientIP', null, 'source'],
        ['None', null, 'roundrobin'],
        ['ClientIP', 'leastconn', 'leastconn'],
      ] as const) {
        service.edit({ sessionAffinity });
        service.annotate({ algorithm: annotation });
        await ensure(service);
        assert.match(cloud().rules().join(), new RegExp(` tcp ${algorithm} \\[`));
      }
      assert.deepEqual(cloud().ruleIds(), ids);
    });

    it('R20: UDP on a virtual router is told, and the TCP ports are served', async () => {
      const service = new TestService({ ports: [port('80:31080'), port('53/UDP:31053')] });
      await ensure(service);
      assert.equal(cloud().rules().length, 1);
      assert.match(
        service.takeMessages(),
        /PortNotSupported: port 53\/UDP is not served: (the virtual router|VpcVirtualRouter|VirtualRouter) of network/,
      );
    });

    it('leaves what opens ports to somebody else where the administrator wants that', async () => {
      const [byHand, service] = [await associate(cloud()), new TestService()];
      service.edit({ loadBalancerIp: byHand, loadBalancerSourceRanges: ['192.0.2.0/24'] });
      const controller = cloud().controller({ accessRules: 'none' });
      await controller.ensure(service, nodes());
      assert.deepEqual([cloud().rules().length, opened(cloud())], [1, []]);
      await cloud().controller().ensure(service, nodes());
      assert.deepEqual(opened(cloud()), ['80 192.0.2.0/24']);
      await controller.ensure(service, nodes());
      await controller.delete(service);
      assert.deepEqual([cloud().rules(), opened(cloud())], [[], ['80 192.0.2.0/24']]);
    });

    it('refuses the source NAT address where the administrator wants that', async () => {
      const sourceNat = cloud().simulator.state.publicIps.find((ip) => ip.isSourceNat);
      const service = new TestService({ loadBalancerIp: sourceNat?.address ?? '' });
      const before = cloud().lastWrite;
      await assert.rejects(cloud().controller({ allowSourceNat: false }).ensure(service, nodes()), /is the source NAT/);
      assert.deepEqual(cloud().writesSince(before), []);
      if (place.where.includes('VPC')) return;
      await ensure(service);
      await cloud().controller().delete(service);
      assert.equal(cloud().simulator.state.publicIps.get(sourceNat?.id ?? '')?.state, 'Allocated');
    });
  });
}

async function associate(cloud: Cloud): Promise<string> {
  using scope = Scope.root();
  const network = cloud.simulator.state.networks.find(({ name }) => name.startsWith('net-'));
  const { vpcId } = network ?? {};
  const where = vpcId === undefined ? { networkId: network?.id } : { vpcId };
  return (await completed(scope, cloud.client.associateIpAddress(scope, where))).ipAddress;
}
