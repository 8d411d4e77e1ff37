import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Scope } from '@cloudstack-ccm/base';
import { completed } from '@cloudstack-ccm/cloudstack-client';
import { TestService } from '../testing/service.ts';
import { withCloud } from '../testing/with-cloud.ts';

const NODES = ['node-1', 'node-2', 'node-3'];
const NO_TAGS = { kind: 'api-error', code: 530, text: 'no luck' } as const;

describe('an opening that was left without our mark', () => {
  const cloud = withCloud();

  /** As a process leaves it that is killed before the marks are set. */
  async function leftUnmarked(): Promise<TestService> {
    const service = new TestService();
    cloud().fail('createTags', NO_TAGS);
    await assert.rejects(
      cloud()
        .controller()
        .ensure(service, cloud().nodes(...NODES)),
    );
    cloud().simulator.faults.clear();
    assert.equal(cloud().firewall().length, 1);
    return service;
  }

  it('goes when other sources are asked for by the time that it is found', async () => {
    const service = await leftUnmarked();
    service.edit({ loadBalancerSourceRanges: ['10.0.0.0/8'] });
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(cloud().firewall(), [`${cloud().addresses()[0]} tcp 80-80 10.0.0.0/8`]);
  });

  it('goes however often the sources changed before a sync went well', async () => {
    const service = await leftUnmarked();
    for (const range of ['10.0.0.0/8', '192.0.2.0/24']) {
      service.edit({ loadBalancerSourceRanges: [range] });
      cloud().fail('createTags', NO_TAGS);
      cloud().fail('deleteFirewallRule', NO_TAGS);
      await assert.rejects(
        cloud()
          .controller()
          .ensure(service, cloud().nodes(...NODES)),
      );
    }
    cloud().simulator.faults.clear();
    assert.equal(cloud().firewall().length, 3);
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(cloud().firewall(), [`${cloud().addresses()[0]} tcp 80-80 192.0.2.0/24`]);
  });

  it('keeps no address when the Service goes after its sources were changed', async () => {
    const service = await leftUnmarked();
    service.edit({ loadBalancerSourceRanges: ['10.0.0.0/8'] });
    await cloud().controller().delete(service);
    assert.deepEqual([cloud().firewall(), cloud().addresses()], [[], []]);
  });

  it('is ours, too, when its port has no rule just then', async () => {
    using scope = Scope.root();
    const service = await leftUnmarked();
    const [id = ''] = cloud().ruleIds();
    await completed(scope, cloud().client.deleteLoadBalancerRule(scope, { id }));
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.equal(cloud().firewall().length, 1);
    await cloud().controller().delete(service);
    assert.deepEqual([cloud().firewall(), cloud().addresses()], [[], []]);
  });

  it('is told from the one that a person opened for others', async () => {
    const service = await leftUnmarked();
    await cloud().openByHand(cloud().addresses()[0] ?? '', 80, ['198.51.100.0/24']);
    service.edit({ loadBalancerSourceRanges: ['10.0.0.0/8'] });
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(
      cloud()
        .firewall()
        .map((opening) => opening.split(' ').at(-1)),
      ['10.0.0.0/8', '198.51.100.0/24'],
    );
  });

  it('is another thing than what a person opened alike on the address that the Service moves to', async () => {
    using scope = Scope.root();
    const networkId = cloud().networkId('net-iso');
    const ipAddress = '203.0.113.50';
    await completed(scope, cloud().client.associateIpAddress(scope, { networkId, ipAddress }));
    await cloud().openByHand(ipAddress, 80, ['0.0.0.0/0']);
    const service = new TestService();
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    service.edit({ loadBalancerIp: ipAddress });
    for (const ranges of [[], ['192.0.2.0/24']]) {
      service.edit({ loadBalancerSourceRanges: ranges });
      await cloud()
        .controller()
        .ensure(service, cloud().nodes(...NODES));
    }
    await cloud().controller().delete(service);
    assert.deepEqual(cloud().firewall(), [`${ipAddress} tcp 80-80 0.0.0.0/0`]);
  });

  it('costs no write to the Service of its own, and none when nothing changes', async () => {
    const service = new TestService();
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.equal(service.annotationWrites, 2, 'what is to be taken, and what was taken');
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.equal(service.annotationWrites, 2);
  });
});
