import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LB, port, TestService } from '../testing/service.ts';
import { hands, withCloud } from '../testing/with-cloud.ts';

function webAndMail(): readonly [TestService, TestService] {
  const address = { loadBalancerIp: '203.0.113.30' };
  return [
    new TestService(address),
    new TestService({ ...address, name: 'mail', uid: 'mail-uid', ports: [port('25')] }),
  ];
}

/** Numbers are those of the list of cases from the field. */
describe('public addresses that several use', () => {
  const cloud = withCloud();
  const { nodes, ensure, remove } = hands(cloud);

  it('46: a free address is taken for the first of two Services, and released with the last', async () => {
    const [web, mail] = webAndMail();
    const controller = cloud().controller();
    await controller.ensure(web, nodes());
    await controller.ensure(mail, nodes());
    assert.equal(web.annotation('ip-associated-by-controller'), 'true');
    assert.equal(cloud().simulator.callLog.counts['associateIpAddress'], 1);
    await controller.delete(mail);
    assert.deepEqual(cloud().addresses(), ['203.0.113.30']);
    assert.match(cloud().rules().join(), /^\S+-tcp-80 203\.0\.113\.30:80 [^\n]*$/);
    await controller.delete(web);
    assert.deepEqual(cloud().addresses(), []);
  });

  it('46: it is released with the last in the other order, too', async () => {
    const [web, mail] = webAndMail();
    await ensure(web);
    await ensure(mail);
    await remove(web);
    assert.deepEqual(cloud().addresses(), ['203.0.113.30']);
    assert.match(
      web.takeMessages(),
      /AddressKept: public IP 203\.0\.113\.30 stays allocated: it carries load balancer rule/,
    );
    await remove(mail);
    assert.deepEqual(cloud().addresses(), []);
  });

  it('46: it is released once when both go at the same moment', async () => {
    const [web, mail] = webAndMail();
    const controller = cloud().controller();
    await controller.ensure(web, nodes());
    await controller.ensure(mail, nodes());
    const writes = cloud().lastWrite;
    await Promise.all([controller.delete(web), controller.delete(mail)]);
    assert.deepEqual([cloud().rules(), cloud().firewall(), cloud().addresses()], [[], [], []]);
    const releases = cloud()
      .writesSince(writes)
      .filter((command) => command === 'disassociateIpAddress');
    assert.equal(releases.length, 1);
  });

  it('55: an address that others use stays when ours go; nothing of theirs is touched', async () => {
    const web = new TestService({ ports: [port('80:31080'), port('443:31443')] });
    const controller = cloud().controller();
    await controller.ensure(web, nodes());
    const [address = ''] = cloud().addresses();
    const other = new TestService({ name: 'other', uid: 'other', loadBalancerIp: address, ports: [port('8443')] });
    await controller.ensure(other, nodes());
    const byOther = cloud().simulator.state.loadBalancerRules.find((rule) => rule.publicPort === 8443) ?? never();
    const theirs = [
      { ruleId: byOther.id },
      await cloud().handMade('debug', { port: 9000, address }),
      await cloud().handMade(`x${LB}-tcp-80`, { port: 80 }),
    ].map(({ ruleId }) => ruleId);
    const own = cloud().simulator.state.loadBalancerRules.find((rule) => rule.publicPort === 443) ?? never();
    const debug = cloud().simulator.state.loadBalancerRules.find((rule) => rule.name === 'debug') ?? never();
    for (const { protocol: _, ...withoutProtocol } of [own, debug])
      cloud().simulator.state.loadBalancerRules.replace(withoutProtocol);
    const before = cloud()
      .rules()
      .filter((rule) => !rule.startsWith(LB));
    web.edit({ ports: [port('80:31080')] });
    await controller.ensure(web, nodes());
    assert.ok(!cloud().ruleIds().includes(own.id), 'a rule without protocol counts as tcp');
    await controller.delete(web);
    assert.deepEqual(cloud().ruleIds().toSorted(), theirs.toSorted());
    assert.deepEqual(cloud().rules(), before);
    assert.ok(cloud().addresses().includes(address));
    assert.equal(cloud().firewall().length, 3);
  });

  it('56: openings of others on a shared address stay, whatever their ports', async () => {
    await cloud().associateByHand('203.0.113.20');
    const theirs = [
      await cloud().openByHand('203.0.113.20', 6443, ['0.0.0.0/0']),
      await cloud().openByHand('203.0.113.20', [2222, 2224], ['0.0.0.0/0']),
      await cloud().openByHand('203.0.113.20', 80, ['0.0.0.0/0']),
    ];
    const service = new TestService({ loadBalancerIp: '203.0.113.20' });
    const controller = cloud().controller();
    await controller.ensure(service, nodes());
    await ensure(service);
    service.edit({ loadBalancerSourceRanges: ['192.0.2.0/24'] });
    await controller.ensure(service, nodes());
    assert.ok(service.takeReasons().includes('ForeignFirewallRule'));
    await remove(service);
    const left = [...cloud().simulator.state.firewallRules.values()].map(({ id }) => id);
    assert.deepEqual(left.toSorted(), theirs.toSorted());
    assert.deepEqual(cloud().addresses(), ['203.0.113.20']);
  });
});

function never(): never {
  throw new Error('the scene has no such object');
}
