import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ANNOTATIONS } from '../annotations/annotations.ts';
import { LB, port, TestService } from '../testing/service.ts';
import { withCloud } from '../testing/with-cloud.ts';

const NODES = ['node-1', 'node-2', 'node-3'];

/** Numbers are those of the list of cases from the field. */
describe('restricting sources, as users did', () => {
  const cloud = withCloud();

  it('34: source ranges become exactly one firewall rule; the load balancer rule stays open', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    const [rules, ids] = [cloud().rules(), cloud().ruleIds()];
    const [address] = cloud().addresses();
    const steps = [
      ['192.0.2.0/24'],
      ['192.0.2.0/24', '198.51.100.0/24'],
      ['198.51.100.0/24'],
      ['198.51.100.0/24', '10.0.0.1/8'],
      [],
    ];
    for (const ranges of steps) {
      service.edit({ loadBalancerSourceRanges: ranges });
      await controller.ensure(service, cloud().nodes(...NODES));
      const expected =
        ranges.length === 0 ? ['0.0.0.0/0'] : ranges.map((range) => range.replace('10.0.0.1', '10.0.0.0'));
      assert.deepEqual(cloud().firewall(), [`${address} tcp 80-80 ${expected.toSorted().join()}`]);
    }
    assert.deepEqual([cloud().rules(), cloud().ruleIds()], [rules, ids]);
  });

  it('34: ranges without a network in common never leave the port closed', async () => {
    const service = new TestService({ loadBalancerSourceRanges: ['192.0.2.0/24'] });
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    service.edit({ loadBalancerSourceRanges: ['198.51.100.0/24'] });
    const before = cloud().lastWrite;
    await controller.ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(
      cloud()
        .writesSince(before)
        .filter((command) => command !== 'createTags'),
      ['createFirewallRule', 'deleteFirewallRule'],
    );
  });

  it('35: the list of a rule changes in place, and is not written again however the server spells it', async () => {
    const service = new TestService();
    service.annotate({ 'source-cidrs': '10.0.0.0/8, 192.168.100.0/24' });
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    const ids = cloud().ruleIds();
    for (const list of ['172.16.0.0/12', '172.16.0.0/12,10.0.0.0/8']) {
      service.annotate({ 'source-cidrs': list });
      await controller.ensure(service, cloud().nodes(...NODES));
      const before = cloud().lastWrite;
      await controller.ensure(service, cloud().nodes(...NODES));
      await cloud()
        .controller()
        .ensure(service, cloud().nodes(...NODES));
      assert.deepEqual(cloud().writesSince(before), []);
    }
    assert.deepEqual(cloud().ruleIds(), ids);
    assert.match(cloud().rules()[0] ?? '', /\(10\.0\.0\.0\/8,172\.16\.0\.0\/12\)$/);
  });

  it('36: a list that is none is named, and nothing is written', async () => {
    const service = new TestService();
    service.annotate({ 'source-cidrs': '10.0.0.0/8, intern' });
    const controller = cloud().controller();
    const before = cloud().lastWrite;
    await assert.rejects(controller.ensure(service, cloud().nodes(...NODES)), { retryAfterMs: 300_000 });
    assert.match(
      service.takeMessages(),
      /^InvalidService: .*cloudstack-load-balancer-source-cidrs: invalid CIDR "intern"/,
    );
    assert.deepEqual(cloud().writesSince(before), []);
    service.annotate({ 'source-cidrs': '10.0.0.0/8' });
    await controller.ensure(service, cloud().nodes(...NODES));
    assert.match(cloud().rules()[0] ?? '', /\(10\.0\.0\.0\/8\)$/);
  });

  it('37: the annotation alone does not touch the firewall', async () => {
    const service = new TestService();
    service.annotate({ 'source-cidrs': '10.0.0.0/8' });
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.match(cloud().rules()[0] ?? '', /\(10\.0\.0\.0\/8\)$/);
    assert.match(cloud().firewall()[0] ?? '', / 0\.0\.0\.0\/0$/);
    assert.match(ANNOTATIONS.sourceCidrs.description, /Firewall rules are not affected: .*loadBalancerSourceRanges/);
  });

  it('38: an old firewall rule that cannot be deleted fails the sync, and goes with the next', async () => {
    const service = new TestService({ loadBalancerSourceRanges: ['192.0.2.0/24'] });
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    service.edit({ loadBalancerSourceRanges: ['198.51.100.0/24'] });
    cloud().fail('deleteFirewallRule', { kind: 'job-fails', code: 530, text: 'Failed to delete firewall rule' }, 1);
    await assert.rejects(controller.ensure(service, cloud().nodes(...NODES)), /Failed to delete firewall rule/);
    assert.equal(cloud().firewall().length, 2);
    await controller.ensure(service, cloud().nodes(...NODES));
    const [address] = cloud().addresses();
    assert.deepEqual(cloud().firewall(), [`${address} tcp 80-80 198.51.100.0/24`]);
  });

  it('leaves a firewall rule that somebody else made on the same port, and says so', async () => {
    const service = new TestService({ loadBalancerSourceRanges: ['192.0.2.0/24'] });
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    const [address = ''] = cloud().addresses();
    const byHand = await cloud().openByHand(address, 80, ['203.0.113.0/24']);
    service.takeReasons();
    await controller.ensure(service, cloud().nodes(...NODES));
    assert.match(service.takeMessages(), new RegExp(`^ForeignFirewallRule: firewall rule ${byHand}`));
    service.edit({ loadBalancerSourceRanges: ['198.51.100.0/24'] });
    await controller.ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(cloud().firewall(), [
      `${address} tcp 80-80 198.51.100.0/24`,
      `${address} tcp 80-80 203.0.113.0/24`,
    ]);
    await controller.delete(service);
    assert.deepEqual(cloud().firewall(), [`${address} tcp 80-80 203.0.113.0/24`]);
    assert.deepEqual(cloud().addresses(), [address], 'an address that carries something of others stays');
    assert.match(service.takeMessages(), /AddressKept: .*firewall rule/);
  });

  it('keeps openings its own even when tags are not permitted', async () => {
    cloud().fail('createTags', { kind: 'api-error', code: 432, text: 'not available' });
    const service = new TestService({ loadBalancerSourceRanges: ['192.0.2.0/24'] });
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    assert.ok(service.takeReasons().includes('TaggingNotPermitted'));
    service.edit({ loadBalancerSourceRanges: ['198.51.100.0/24'] });
    const calls = cloud().lastCall;
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    const [address] = cloud().addresses();
    assert.deepEqual(cloud().firewall(), [`${address} tcp 80-80 198.51.100.0/24`]);
    assert.ok(
      !cloud()
        .callsSince(calls)
        .some((call) => call.command === 'createTags'),
    );
    await cloud().controller().delete(service);
    assert.deepEqual([cloud().firewall(), cloud().addresses()], [[], []]);
  });
});

describe('35: the source list of a rule on CloudStack 4.20', () => {
  const cloud = withCloud({ version: '4.20' });

  it('makes the rule anew on the same address, with its members, and the user is told', async () => {
    const service = new TestService({ ports: [port('80:31080'), port('443:31443')] });
    service.annotate({ 'source-cidrs': '10.0.0.0/8, 192.168.100.0/24' });
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    const [before, ids] = [cloud().addresses(), cloud().ruleIds()];
    service.takeReasons();
    service.annotate({ 'source-cidrs': '172.16.0.0/12' });
    await controller.ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(service.takeReasons(), ['TrafficInterrupted', 'TrafficInterrupted']);
    assert.ok(
      !cloud()
        .ruleIds()
        .some((id) => ids.includes(id)),
    );
    assert.deepEqual(cloud().addresses(), before);
    assert.ok(
      cloud()
        .rules()
        .every((rule) => rule.endsWith('[node-1,node-2,node-3] (172.16.0.0/12)')),
    );
    const writes = cloud().lastWrite;
    await controller.ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(cloud().writesSince(writes), []);
  });
});

describe('source lists on CloudStack 4.14', () => {
  const cloud = withCloud({ version: '4.14' });

  it('are never sent, and the user is told that they cannot be applied', async () => {
    const service = new TestService();
    service.annotate({ 'source-cidrs': '10.0.0.0/8' });
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    assert.ok(service.takeReasons().includes('SourceRangesNotEnforced'));
    assert.match(cloud().rules()[0] ?? '', new RegExp(`^${LB}-tcp-80 .* \\(\\)$`));
    const writes = cloud().lastWrite;
    await controller.ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(cloud().writesSince(writes), []);
    await controller.delete(service);
    assert.deepEqual([cloud().rules(), cloud().firewall(), cloud().addresses()], [[], [], []]);
  });
});
