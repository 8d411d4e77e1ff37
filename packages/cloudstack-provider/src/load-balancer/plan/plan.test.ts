import assert from 'node:assert/strict';
import { describe as group, it } from 'node:test';
import { aclReason, marksOf } from '../../ownership/marks.ts';
import { describe } from './actions.ts';
import { desireNothing } from './desired.ts';
import { plan } from './plan.ts';
import type { Plan } from './step.ts';
import { MANAGED_POLICY } from '../annotations/stickiness.ts';
import {
  aclItem,
  circumstances,
  desired,
  firewallRule,
  members,
  MEMBERS,
  observed,
  OWNER,
  rule,
  tier,
} from '../testing/builders.ts';
import { PREFIX } from '../annotations/annotations.ts';
import { LB, port } from '../testing/service.ts';

const OURS = marksOf(OWNER);
const ACL = { id: 'acl-1', name: 'acl-custom' };

/** A load balancer in which nothing is left to do: rule, members and marked opening for each port. */
function synced(...ports: readonly number[]): Parameters<typeof observed>[0] {
  return {
    rules: ports.map((publicPort) => rule({ publicPort, privatePort: 31_000 + (publicPort % 1000) })),
    firewallRules: ports.map((startPort) => firewallRule({ startPort, tags: OURS })),
  };
}

function lines({ steps }: Plan): readonly string[] {
  return steps.map((step) => describe(step.action));
}

group('a plan for a new load balancer', () => {
  it('makes the rule, opens its port, and only then adds members', () => {
    assert.deepEqual(lines(plan(desired({}), observed(), circumstances())), [
      `create rule ${LB}-tcp-80 on 203.0.113.20 → node port 31080 (roundrobin, sources 0.0.0.0/0)`,
      'open tcp 80 on 203.0.113.20 for 0.0.0.0/0',
      'mark 1 FirewallRule as ours',
      `add node-1, node-2, node-3 to rule ${LB}-tcp-80`,
    ]);
  });

  it('marks the openings of all ports in one call that nothing waits for', () => {
    const { steps } = plan(desired({ ports: [port('80'), port('443')] }), observed(), circumstances());
    const marking = steps.filter(({ action }) => action.kind === 'add-tags');
    assert.equal(marking.length, 1);
    assert.equal(marking[0]?.aside, 'access');
    assert.equal(marking[0]?.action.kind === 'add-tags' && marking[0].action.objects.length, 2);
  });

  it('never opens a port whose rule could not be made', () => {
    const { steps } = plan(desired({}), observed(), circumstances());
    const opening = steps.find(({ action }) => action.kind === 'create-firewall-rule');
    assert.deepEqual(opening?.needs, [`rule ${LB}-tcp-80`]);
  });

  it('sends no source list to a CloudStack that refuses one', () => {
    const version = '4.17.2';
    const { steps } = plan(desired({}, { version }), observed(), circumstances({ version }));
    const [first] = steps;
    assert.ok(first?.action.kind === 'create-rule');
    assert.equal(first.action.sourceCidrs, undefined);
  });
});

group('a plan for a load balancer that is there', () => {
  it('is empty when nothing differs but spelling and order', () => {
    const rules = [rule({ algorithm: 'ROUNDROBIN', protocol: 'TCP', sourceCidrs: undefined })];
    const now = observed({
      rules,
      firewallRules: [firewallRule({ tags: OURS })],
      members: new Map([['rule-80', MEMBERS.toReversed()]]),
    });
    assert.deepEqual(lines(plan(desired({}), now, circumstances())), []);
  });

  it('changes protocol and name in place', () => {
    const service = desired({ annotations: proxyProtocol('true') });
    assert.deepEqual(lines(plan(service, observed(synced(80)), circumstances())), [
      `change rule ${LB}-tcp-80: name ${LB}-tcp-proxy-80; protocol tcp-proxy`,
    ]);
  });

  it('changes the algorithm there and back where that alone makes the router hear of a protocol', () => {
    const version = '4.20.2.0';
    const service = desired({ annotations: proxyProtocol('true') }, { version });
    assert.deepEqual(lines(plan(service, observed(synced(80)), circumstances({ version }))), [
      `change rule ${LB}-tcp-80: name ${LB}-tcp-proxy-80; protocol tcp-proxy; algorithm source`,
      `change rule ${LB}-tcp-80: algorithm roundrobin`,
    ]);
  });

  it('needs one change only when protocol and algorithm change together', () => {
    const version = '4.20.2.0';
    const service = desired({ annotations: proxyProtocol('true'), sessionAffinity: 'ClientIP' }, { version });
    assert.deepEqual(lines(plan(service, observed(synced(80)), circumstances({ version }))), [
      `change rule ${LB}-tcp-80: name ${LB}-tcp-proxy-80; protocol tcp-proxy; algorithm source`,
    ]);
  });

  it('makes a rule anew, with members at once, when its node port changes, and says so', () => {
    const service = desired({ ports: [port('80:32000'), port('443:31443')] });
    const result = plan(service, observed(synced(80, 443)), circumstances());
    assert.deepEqual(lines(result), [
      `delete rule ${LB}-tcp-80 on 203.0.113.20`,
      `create rule ${LB}-tcp-80 on 203.0.113.20 → node port 32000 (roundrobin, sources 0.0.0.0/0)`,
      `add node-1, node-2, node-3 to rule ${LB}-tcp-80`,
    ]);
    assert.deepEqual(
      result.notices.map(({ reason }) => reason),
      ['TrafficInterrupted'],
    );
    assert.match(result.notices[0]?.message ?? '', /port 80 .*31080 to 32000/);
  });

  it('changes a source list in place from 4.22 on, and makes the rule anew before', () => {
    const annotations = { [`${PREFIX}source-cidrs`]: '172.16.0.0/12' };
    const inPlace = plan(desired({ annotations }), observed(synced(80)), circumstances());
    assert.deepEqual(lines(inPlace), [`change rule ${LB}-tcp-80: sources 172.16.0.0/12`]);
    const version = '4.20.2.0';
    const anew = plan(desired({ annotations }, { version }), observed(synced(80)), circumstances({ version }));
    assert.deepEqual(
      anew.steps.map(({ action }) => action.kind),
      ['delete-rule', 'create-rule', 'add-members'],
    );
    assert.deepEqual(
      anew.notices.map(({ reason }) => reason),
      ['TrafficInterrupted'],
    );
  });

  it('does not touch a rule whose members could not be read, were it to be made anew', () => {
    const now = observed({ ...synced(80), members: new Map() });
    assert.deepEqual(lines(plan(desired({ ports: [port('80:32000')] }), now, circumstances())), []);
  });

  it('adds members before it removes others', () => {
    const now = observed({ ...synced(80), members: new Map([['rule-80', MEMBERS.slice(0, 2)]]) });
    const [, second, third] = MEMBERS;
    assert.ok(second && third);
    assert.deepEqual(lines(plan(desired({}, { members: members(second, third) }), now, circumstances())), [
      `add node-3 to rule ${LB}-tcp-80`,
      `remove node-1 from rule ${LB}-tcp-80`,
    ]);
  });

  it('keeps members that may be machines of nodes that were not found', () => {
    const wanted = { ...members(), doubtful: { ids: new Set(['vm-4']), names: new Set(['node-5']) } };
    const strangers = ['4', '5', '6'].map((n) => ({ machineId: `vm-${n}`, name: `Node-${n}` }));
    const now = observed({ ...synced(80), members: new Map([['rule-80', [...MEMBERS, ...strangers]]]) });
    assert.deepEqual(lines(plan(desired({}, { members: wanted }), now, circumstances())), [
      `remove Node-6 from rule ${LB}-tcp-80`,
    ]);
  });

  it('takes members out and in again when the router never learnt of them', () => {
    const now = observed({ ...synced(80), rules: [rule({ state: 'Add', privatePort: 31_080 })] });
    assert.deepEqual(lines(plan(desired({}), now, circumstances())), [
      `remove node-1, node-2, node-3 from rule ${LB}-tcp-80`,
      `add node-1, node-2, node-3 to rule ${LB}-tcp-80`,
    ]);
  });

  it('makes the rule for a new port first, then shuts and deletes that of the old one', () => {
    const now = observed({
      rules: [rule({ publicPort: 80 }), rule({ publicPort: 443, privatePort: 31_443 })],
      firewallRules: [firewallRule({ startPort: 80, tags: OURS }), firewallRule({ startPort: 443, tags: OURS })],
    });
    const result = plan(desired({ ports: [port('8080:31080'), port('443:31443')] }), now, circumstances());
    assert.deepEqual(
      result.steps.map(({ action }) => action.kind),
      ['create-rule', 'create-firewall-rule', 'add-tags', 'add-members', 'delete-firewall-rule', 'delete-rule'],
    );
  });

  it('deletes a rule that holds the port of a new one before it makes the new one', () => {
    const now = observed(synced(80));
    const facts = { network: tier({ access: 'firewall', providers: ['Netscaler'], virtualRouter: false }) };
    const result = plan(desired({ ports: [port('80/UDP:31080')] }, facts), now, circumstances());
    assert.deepEqual(
      result.steps.map(({ action }) => action.kind),
      ['delete-firewall-rule', 'delete-rule', 'create-rule', 'create-firewall-rule', 'add-tags', 'add-members'],
    );
  });

  it('renames a rule of the provider that was part of Kubernetes, and does nothing else to it', () => {
    const now = observed({
      rules: [rule({ name: `${LB}-80`, protocol: 'TCP', sourceCidrs: undefined })],
      firewallRules: [firewallRule({ tags: OURS })],
    });
    assert.deepEqual(lines(plan(desired({}), now, circumstances())), [`change rule ${LB}-80: name ${LB}-tcp-80`]);
  });

  it('keeps the rule on the address in use when there are two, and removes the other last', () => {
    const elsewhere = { publicIpId: 'ip-21', publicIp: '203.0.113.21' };
    const now = observed({
      rules: [rule({ id: 'rule-twin', ...elsewhere }), rule()],
      firewallRules: [
        firewallRule({ tags: OURS }),
        firewallRule({ id: 'fw-twin', ipAddressId: 'ip-21', ipAddress: '203.0.113.21', tags: OURS }),
      ],
    });
    const { steps } = plan(desired({}), now, circumstances());
    assert.deepEqual(
      steps.map((step) => describe(step.action)),
      ['close tcp 80 on 203.0.113.21 for 0.0.0.0/0', `delete rule ${LB}-tcp-80 on 203.0.113.21`],
    );
    assert.ok(steps.every((step) => step.last));
  });

  it('deletes what a failed command left behind', () => {
    const now = observed({
      ...synced(80),
      rules: [...(synced(80)?.rules ?? []), rule({ id: 'rest', state: 'Deleting' })],
    });
    const { steps } = plan(desired({}), now, circumstances());
    assert.deepEqual(
      steps.map(({ action }) => action.kind === 'delete-rule' && action.id),
      ['rest'],
    );
  });
});

group('a plan for stickiness', () => {
  const annotations = {
    [`${PREFIX}stickiness-method-name`]: 'SourceBased',
    [`${PREFIX}stickiness-method-param`]: 'expire=30m',
  };
  const policy = {
    id: 'policy-1',
    name: `${LB}-tcp-80`,
    methodName: 'SourceBased',
    description: MANAGED_POLICY,
    params: { expire: '30m' },
    state: undefined,
  };

  it('is empty when the policy is as wanted', () => {
    const now = observed({ ...synced(80), policies: new Map([['rule-80', [policy]]]) });
    assert.deepEqual(lines(plan(desired({ annotations }), now, circumstances())), []);
  });

  it('sets a policy that differs, and removes ours when none is wanted', () => {
    const differing = observed({
      ...synced(80),
      policies: new Map([['rule-80', [{ ...policy, params: { expire: '1h' } }]]]),
    });
    assert.deepEqual(lines(plan(desired({ annotations }), differing, circumstances())), [
      `set stickiness SourceBased on rule ${LB}-tcp-80`,
    ]);
    assert.deepEqual(lines(plan(desired({}), differing, circumstances())), [
      `remove stickiness from rule ${LB}-tcp-80`,
    ]);
  });

  it('leaves a policy made by hand alone', () => {
    const byHand = { ...policy, description: '' };
    const now = observed({ ...synced(80), policies: new Map([['rule-80', [byHand]]]) });
    assert.deepEqual(lines(plan(desired({}), now, circumstances())), []);
  });
});

group('a plan in a VPC tier', () => {
  const network = tier();
  const ranges = { loadBalancerSourceRanges: ['203.0.113.0/24'], ports: [port('443:31443')] };
  const reason = aclReason(LB);

  it('puts the source ranges on the rule and on an item of its own, with the protocol on the wire', () => {
    const service = desired({ ...ranges, annotations: proxyProtocol('true') }, { network });
    const result = plan(service, observed(), circumstances({ aclList: ACL }));
    assert.deepEqual(lines(result), [
      `create rule ${LB}-tcp-proxy-443 on 203.0.113.20 → node port 31443 (roundrobin, sources 203.0.113.0/24)`,
      'allow tcp 443 from 203.0.113.0/24 in network ACL acl-custom',
      `add node-1, node-2, node-3 to rule ${LB}-tcp-proxy-443`,
    ]);
  });

  it('tells of a Deny item that comes first, and takes no item for its own that is not marked', () => {
    const deny = aclItem({ startPort: 443, action: 'Deny', number: 1 });
    const egress = aclItem({ startPort: 443, trafficType: 'Egress', number: 2 });
    const result = plan(
      desired(ranges, { network }),
      observed({ aclItems: [deny, egress] }),
      circumstances({ aclList: ACL }),
    );
    assert.ok(result.steps.some(({ action }) => action.kind === 'create-acl-item'));
    assert.ok(
      !result.steps.some(({ action }) => action.kind.endsWith('acl-item') && action.kind !== 'create-acl-item'),
    );
    assert.match(result.notices[0]?.message ?? '', /item number 1 .* denies tcp port 443/);
  });

  it('changes the sources of its item in place', () => {
    const rules = [
      rule({ publicPort: 443, privatePort: 31_443, networkId: 'net-tier', sourceCidrs: ['203.0.113.0/24'] }),
    ];
    const item = aclItem({ startPort: 443, reason, number: 7 });
    const result = plan(
      desired(ranges, { network }),
      observed({ rules, aclItems: [item] }),
      circumstances({ aclList: ACL }),
    );
    assert.deepEqual(lines(result), ['change item 7 of network ACL acl-custom: sources 203.0.113.0/24']);
  });

  it('takes over an item of the Go CCM only while it takes the load balancer over', () => {
    const rules = [rule({ networkId: 'net-tier' })];
    const aclItems = [aclItem({ number: 3 })];
    const adopting = plan(
      desired({}, { network }),
      observed({ rules, aclItems }),
      circumstances({ aclList: ACL, adopting: true }),
    );
    assert.deepEqual(lines(adopting), [`change item 3 of network ACL acl-custom: reason ${reason}`]);
    const later = plan(desired({}, { network }), observed({ rules, aclItems }), circumstances({ aclList: ACL }));
    assert.deepEqual(lines(later), ['allow tcp 80 from 0.0.0.0/0 in network ACL acl-custom']);
  });

  it('removes only items that bear the mark of the load balancer', () => {
    const aclItems = [
      aclItem({ number: 1, reason }),
      aclItem({ number: 2, reason: 'ops' }),
      aclItem({ number: 3 }),
      aclItem({ number: 4, reason: aclReason('a999') }),
    ];
    const result = plan(desireNothing(LB), observed({ aclItems }), circumstances({ address: undefined }));
    assert.deepEqual(lines(result), ['delete item 1 of network ACL acl-custom']);
  });

  it('interrupts nothing for source ranges that the controller before did not apply, until they change', () => {
    const version = '4.20.2.0';
    const rules = [rule({ publicPort: 443, privatePort: 31_443, networkId: 'net-tier' })];
    const aclItems = [aclItem({ startPort: 443, reason, sourceCidrs: ['203.0.113.0/24'] })];
    const now = observed({ rules, aclItems });
    const at = { aclList: ACL, version } as const;
    const first = plan(desired(ranges, { network, version }), now, circumstances({ ...at, adopting: true }));
    assert.deepEqual(lines(first), []);
    assert.deepEqual(
      first.notices.map((one) => one.reason),
      ['SourceRangesNotEnforced'],
    );
    const later = circumstances({ ...at, inheritedRanges: '203.0.113.0/24' });
    assert.deepEqual(lines(plan(desired(ranges, { network, version }), now, later)), []);
    const unmarked = [aclItem({ startPort: 443, number: 9 })];
    const taking = plan(
      desired(ranges, { network, version }),
      observed({ rules, aclItems: unmarked }),
      circumstances({ ...at, adopting: true }),
    );
    assert.deepEqual(lines(taking), [`change item 9 of network ACL acl-custom: reason ${reason}`]);
    const changed = { ...ranges, loadBalancerSourceRanges: ['198.51.100.0/24'] };
    const kinds = plan(desired(changed, { network, version }), now, later).steps.map(({ action }) => action.kind);
    assert.ok(kinds.includes('create-rule'));
  });
});

group('a plan that removes', () => {
  it('shuts the openings of a rule before it deletes the rule, on every address', () => {
    const result = plan(desireNothing(LB), observed(synced(80, 443)), circumstances({ address: undefined }));
    assert.deepEqual(
      result.steps.map(({ action }) => action.kind),
      ['delete-firewall-rule', 'delete-rule', 'delete-firewall-rule', 'delete-rule'],
    );
    assert.ok(result.steps.every((step) => !step.last));
  });

  it('leaves a rule standing while its opening cannot be shut', () => {
    const { steps } = plan(desireNothing(LB), observed(synced(80)), circumstances({ address: undefined }));
    const [shut, end] = steps;
    assert.ok(shut && end?.needs?.includes(shut.chain));
  });

  it('leaves openings of others alone', () => {
    const now = observed({
      rules: [rule()],
      firewallRules: [
        firewallRule({ id: 'byhand', sourceCidrs: ['192.0.2.0/24'] }),
        firewallRule({ id: 'range', startPort: 70, endPort: 90 }),
        firewallRule({ id: 'icmp', protocol: 'icmp', startPort: undefined, endPort: undefined }),
        firewallRule({ id: 'other', startPort: 8443, tags: marksOf({ ...OWNER, serviceUid: 'another' }) }),
      ],
    });
    const { steps } = plan(desireNothing(LB), now, circumstances({ address: undefined }));
    assert.deepEqual(
      steps.map(({ action }) => action.kind),
      ['delete-rule'],
    );
  });

  it('does not touch openings when they are somebody else’s business', () => {
    const rest = circumstances({ address: undefined, accessRules: 'none' });
    const { steps } = plan(desireNothing(LB), observed(synced(80)), rest);
    assert.deepEqual(
      steps.map(({ action }) => action.kind),
      ['delete-rule'],
    );
  });
});

function proxyProtocol(value: string): Record<string, string> {
  return { [`${PREFIX}proxy-protocol`]: value };
}
