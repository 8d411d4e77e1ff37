import assert from 'node:assert/strict';
import { everywhere, type Stand } from '../../testing/promises.ts';
import { TestService } from '../../testing/service.ts';

const STEPS = [[], ['192.0.2.0/24'], ['192.0.2.0/24', '198.51.100.0/24'], ['198.51.100.0/24'], []];

everywhere({
  'R28, R30, R31, R32, R39: the annotation is the source list of the rule, changed as the release can': async (at) => {
    const { sourceLists } = at.place;
    const service = new TestService();
    service.annotate({ 'source-cidrs': ' 10.0.0.0/8 , 192.168.1.0/24 ' });
    await at.ensure(service);
    const told = service.takeReasons().includes('SourceRangesNotEnforced');
    assert.equal(told, sourceLists === 'refused', 'told exactly where it has no effect');
    if (sourceLists === 'refused') return assertNeverSent(at);
    assert.match(at.rules, /\(10\.0\.0\.0\/8,192\.168\.1\.0\/24\)$/);
    for (const [list, stored] of [
      ['172.16.0.0/12', '172.16.0.0/12'],
      ['', '0.0.0.0/0'],
      ['10.0.0.0/8', '10.0.0.0/8'],
      [null, '0.0.0.0/0'],
    ] as const) {
      const [ids, address] = [at.cloud.ruleIds(), at.cloud.addresses()];
      service.annotate({ 'source-cidrs': list });
      await at.ensure(service);
      assert.ok(at.rules.endsWith(`[node-1,node-2,node-3] (${stored})`), at.rules);
      assert.equal(at.cloud.ruleIds().join() === ids.join(), sourceLists === 'in place');
      assert.equal(service.takeReasons().includes('TrafficInterrupted'), sourceLists === 'made anew');
      assert.deepEqual(at.cloud.addresses(), address);
      assert.deepEqual(await at.writesOf(() => at.ensure(service)), []);
    }
  },

  'R29, R38: the annotation acts on the rule alone where a firewall stands beside it': async (at) => {
    const service = new TestService();
    service.annotate({ 'source-cidrs': '10.0.0.0/8' });
    await at.ensure(service);
    assert.deepEqual(at.opened, [at.place.access === 'firewall' ? '80 0.0.0.0/0' : '80 10.0.0.0/8']);
  },

  'R38, R40, R41, R45, R53, R54: what opens ports follows the source ranges exactly, by its own means': async (at) => {
    const service = new TestService();
    for (const ranges of STEPS) {
      service.edit({ loadBalancerSourceRanges: ranges });
      await at.ensure(service);
      const asked = ranges.join() || '0.0.0.0/0';
      assert.deepEqual([at.opened, at.openedOtherwise], [[`80 ${asked}`], []]);
      const inRule = at.place.access === 'acl' ? asked : '0.0.0.0/0';
      if (at.place.sourceLists !== 'refused') assert.ok(at.rules.endsWith(`(${inRule})`), at.rules);
    }
    await at.delete(service);
    assert.deepEqual(at.left, [[], [], []]);
    const other = at.place.access === 'acl' ? 'createFirewallRule' : 'createNetworkACL';
    assert.deepEqual(at.sent(other), []);
  },

  'R41: who is told that source ranges do not filter in a tier without a firewall of its own': async (at) => {
    const service = new TestService({ loadBalancerSourceRanges: ['192.0.2.0/24'] });
    await at.ensure(service);
    const { access, sourceLists } = at.place;
    const told = service.takeReasons().includes('SourceRangesNotEnforced');
    assert.equal(told, access === 'acl' && sourceLists === 'refused');
  },

  'R42, R44: with both set alike, both layers let in just these': async (at) => {
    const service = new TestService({ loadBalancerSourceRanges: ['10.0.0.0/8'] });
    service.annotate({ 'source-cidrs': '10.0.0.0/8' });
    await at.ensure(service);
    assert.deepEqual(at.opened, ['80 10.0.0.0/8']);
    if (at.place.sourceLists !== 'refused') assert.match(at.rules, /\(10\.0\.0\.0\/8\)$/);
  },

  'R45: no port is opened by CloudStack itself, and openings that are out of date go': async (at) => {
    const service = new TestService({ loadBalancerSourceRanges: ['192.0.2.0/24'] });
    await at.ensure(service);
    service.edit({ loadBalancerSourceRanges: ['198.51.100.0/24'] });
    await at.ensure(service);
    assert.deepEqual(at.opened, ['80 198.51.100.0/24']);
    assert.ok(at.sent('createLoadBalancerRule').length > 0);
    for (const { openfirewall } of at.sent('createLoadBalancerRule')) assert.equal(openfirewall, 'false');
  },

  'R56, R153: nothing is added to a built-in ACL list, and that is told': async (at) => {
    const { state } = at.cloud.simulator;
    const builtIn = state.aclLists.find(({ name }) => name === 'default_deny');
    assert.ok(builtIn);
    if (at.place.associates === 'vpcid') state.networks.update(at.network.id, { aclListId: builtIn.id });
    const items = [...state.aclItems.values()];
    const service = new TestService();
    const { ingress } = await at.ensure(service);
    assert.deepEqual([ingress.length, at.cloud.members().length], [1, 3]);
    const told = service.takeReasons().includes('NetworkAclNotEditable');
    assert.equal(told, at.place.access === 'acl');
    await at.delete(service);
    assert.deepEqual([at.left, [...state.aclItems.values()]], [[[], [], []], items]);
  },

  'leaves what opens ports to somebody else where the administrator wants that': async (at) => {
    const service = new TestService({
      loadBalancerIp: await at.takeAddress(),
      loadBalancerSourceRanges: ['192.0.2.0/24'],
    });
    const controller = at.cloud.controller({ accessRules: 'none' });
    await controller.ensure(service, at.nodes);
    assert.deepEqual([at.cloud.rules().length, at.opened], [1, []]);
    await at.ensure(service);
    assert.deepEqual(at.opened, ['80 192.0.2.0/24']);
    await controller.ensure(service, at.nodes);
    await controller.delete(service);
    assert.deepEqual([at.cloud.rules(), at.opened], [[], ['80 192.0.2.0/24']]);
  },
});

function assertNeverSent(at: Stand): void {
  const sent = [...at.sent('createLoadBalancerRule'), ...at.sent('updateLoadBalancerRule')];
  assert.ok(sent.length > 0);
  for (const { cidrlist } of sent) assert.equal(cidrlist, undefined);
}
