import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FirewallRule } from '@cloudstack-ccm/cloudstack-client';
import fc from 'fast-check';
import { openingId } from '../../access/opening.ts';
import { canonicalCidrs, sameCidrs } from '../../access/source-cidrs.ts';
import { aclReason, marksOf, ownershipOf } from '../../ownership/marks.ts';
import { PREFIX } from '../annotations/annotations.ts';
import type { Circumstances } from './circumstances.ts';
import type { Desired } from './desired.ts';
import { isNameOf } from './names.ts';
import { observe } from './observed.ts';
import { plan } from './plan.ts';
import { isProtocol, placeOf, transportOf } from './protocol.ts';
import { MANAGED_POLICY } from '../annotations/stickiness.ts';
import {
  aclItem,
  ADDRESS,
  circumstances,
  desired,
  firewallRule,
  members,
  MEMBERS,
  network,
  OWNER,
  rule,
  tier,
} from '../testing/builders.ts';
import { Model } from '../testing/model.ts';
import { LB, port } from '../testing/service.ts';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 300);
/** Printed, so that what was found can be found again. */
const SEED = Number(process.env['PROPERTY_SEED'] ?? Date.now() % 2 ** 31);

const ELSEWHERE = { publicIpId: 'ip-21', publicIp: '203.0.113.21' };
const STRANGER = { machineId: 'vm-9', name: 'node-9' };
const OTHERS = marksOf({ ...OWNER, serviceUid: 'another' });
const CIDRS = [['0.0.0.0/0'], ['192.0.2.0/24'], ['192.0.2.0/24', '198.51.100.0/24'], ['10.0.0.1/8']] as const;

const ports = fc.constantFrom(80, 443, 8080, 8443);
const nodePorts = fc.constantFrom(31_080, 32_080);
const cidrs = fc.constantFrom(...CIDRS);
const memberLists = fc.subarray([...MEMBERS, STRANGER]);

const aService = fc.record({
  ports: fc.uniqueArray(fc.tuple(ports, nodePorts, fc.constantFrom('TCP', 'TCP', 'UDP')), {
    minLength: 1,
    selector: ([number]) => number,
  }),
  proxied: fc.boolean(),
  sticky: fc.boolean(),
  affinity: fc.constantFrom('None', 'ClientIP'),
  algorithm: fc.constantFrom(undefined, 'leastconn', 'source', 'roundrobin'),
  ranges: fc.option(cidrs, { nil: undefined }),
  sources: fc.option(cidrs, { nil: undefined }),
});

const aRule = fc.record({
  publicPort: ports,
  privatePort: nodePorts,
  protocol: fc.constantFrom(undefined, 'TCP', 'tcp', 'tcp-proxy', 'udp'),
  name: fc.constantFrom(
    `${LB}-80`,
    `${LB}-tcp-80`,
    `${LB}-tcp-443`,
    `${LB}-tcp-proxy-443`,
    `${LB}-udp-80`,
    'byhand',
    `x${LB}-tcp-80`,
  ),
  algorithm: fc.constantFrom('roundrobin', 'SOURCE', 'leastconn'),
  state: fc.constantFrom('Active', 'Active', 'Add', 'Deleting'),
  sourceCidrs: fc.option(cidrs, { nil: undefined }),
  elsewhere: fc.boolean(),
  members: memberLists,
  sticky: fc.constantFrom('none', 'ours', 'by hand'),
});

const anOpening = fc.record({
  startPort: ports,
  wide: fc.boolean(),
  protocol: fc.constantFrom('tcp', 'udp'),
  sourceCidrs: cidrs,
  tags: fc.constantFrom([], marksOf(OWNER), OTHERS),
  state: fc.constantFrom('Active', 'Active', 'Deleting'),
  elsewhere: fc.boolean(),
});

const anItem = fc.record({
  startPort: ports,
  protocol: fc.constantFrom('tcp', 'TCP', 'udp'),
  action: fc.constantFrom('Allow', 'Deny'),
  trafficType: fc.constantFrom('Ingress', 'Egress'),
  sourceCidrs: cidrs,
  reason: fc.constantFrom('', 'ops', aclReason(LB), aclReason('a999')),
});

const aWorld = fc.record({
  service: aService,
  version: fc.constantFrom('4.14.0', '4.17.0', '4.18.0', '4.20.2.0', '4.22.1.0', '4.23.0.0'),
  place: fc.constantFrom('isolated', 'isolated with an appliance', 'tier', 'tier with Firewall'),
  adopting: fc.boolean(),
  marks: fc.boolean(),
  rules: fc.array(aRule, { maxLength: 8 }),
  openings: fc.array(anOpening, { maxLength: 8 }),
  items: fc.array(anItem, { maxLength: 5 }),
  /** Openings that are noted as made on some address, which need not be this one. */
  noted: fc.array(fc.record({ port: ports, protocol: fc.constantFrom('tcp', 'udp'), sourceCidrs: cidrs }), {
    maxLength: 6,
  }),
});

type WorldOf<T> = T extends fc.Arbitrary<infer V> ? V : never;
type RandomWorld = WorldOf<typeof aWorld>;

describe('from any state of the cloud', () => {
  it('one pass reaches what is wanted, a second has nothing to do, and nothing of others changes', (test) => {
    fc.assert(
      fc.property(aWorld, (world) => {
        const wanted = wantedIn(world);
        const model = modelOf(world);
        const before = foreignThings(model, world);
        if (world.adopting) run(model, wanted, situation(world, model, true));
        run(model, wanted, situation(world, model, false));
        assertReached(model, wanted);
        assert.deepEqual(planOf(model, wanted, situation(world, model, false)).steps, []);
        assertUntouched(model, before);
      }),
      { numRuns: RUNS, seed: SEED },
    );
    test.diagnostic(`seed ${SEED}: ${RUNS} runs, ${RUNS} passed`);
  });

  it('a plan that is cut short anywhere is completed by the next', (test) => {
    fc.assert(
      fc.property(aWorld, fc.nat({ max: 12 }), (world, cut) => {
        const wanted = wantedIn(world);
        const model = modelOf(world);
        run(model, wanted, situation(world, model, false), cut);
        run(model, wanted, situation(world, model, false));
        assertReached(model, wanted);
      }),
      { numRuns: RUNS, seed: SEED },
    );
    test.diagnostic(`seed ${SEED}: ${RUNS} runs, ${RUNS} passed`);
  });
});

function wantedIn({ service, version, place }: RandomWorld): Desired {
  const annotations = {
    ...(service.proxied && { [`${PREFIX}proxy-protocol`]: 'true' }),
    ...(service.sources && { [`${PREFIX}source-cidrs`]: service.sources.join() }),
    ...(service.algorithm && { [`${PREFIX}algorithm`]: service.algorithm }),
    ...(service.sticky && { [`${PREFIX}stickiness-method-name`]: 'SourceBased' }),
  };
  const view = {
    annotations,
    ports: service.ports.map(([number, nodePort, protocol]) => port(`${number}/${protocol}:${nodePort}`)),
    sessionAffinity: service.affinity,
    loadBalancerSourceRanges: service.ranges ?? [],
  };
  return desired(view, { version, network: networkOf(place), members: members() });
}

function networkOf(place: RandomWorld['place']): ReturnType<typeof network> {
  if (place === 'isolated') return network();
  // What is no virtual router balances UDP as well.
  if (place === 'isolated with an appliance') return network({ virtualRouter: false });
  const firewall = { access: 'firewall', aclId: undefined, aclName: undefined } as const;
  return tier({ id: 'net-iso', ...(place === 'tier with Firewall' && firewall) });
}

function modelOf({ version, rules, openings, items }: RandomWorld): Model {
  const model = new Model(circumstances({ version }).features);
  for (const { elsewhere, members: list, sticky, ...fields } of rules) {
    const id = `given-${model.rules.size}`;
    const made = model.addRule(rule({ ...fields, id, ...(elsewhere && ELSEWHERE) }), list);
    const policy = { id: `policy-${id}`, name: '', methodName: 'SourceBased', params: { expire: '1h' } };
    const description = sticky === 'ours' ? MANAGED_POLICY : '';
    if (made && sticky !== 'none') model.policies.set(id, [{ ...policy, description, state: undefined }]);
  }
  for (const { wide, elsewhere, startPort, ...fields } of openings) {
    const range = wide ? { startPort: startPort - 5, endPort: startPort + 5 } : { startPort, endPort: startPort };
    const place = elsewhere ? { ipAddressId: ELSEWHERE.publicIpId, ipAddress: ELSEWHERE.publicIp } : {};
    model.addFirewallRule(firewallRule({ ...fields, ...range, ...place, id: `given-fw-${model.firewallRules.size}` }));
  }
  for (const fields of items) model.addAclItem(aclItem(fields));
  // A foreign rule on a wanted port is another story: CloudStack refuses, and the user is told.
  for (const [id, one] of model.rules) {
    if (!isOwn(one) && one.publicIpId === ADDRESS.id) model.rules.delete(id);
  }
  return model;
}

function situation(
  { version, place, marks, service, noted }: RandomWorld,
  model: Model,
  adopting: boolean,
): Circumstances {
  const aclList = place === 'tier' ? { id: 'acl-1', name: 'acl-custom' } : undefined;
  const made = [...model.firewallRules.keys()].filter((id) => !id.startsWith('given'));
  const notedOpenings = {
    ours: new Set(marks ? [] : made),
    made: madeOf(noted),
    foreign: model.foreign,
    takenAddresses: new Set<string>(),
  };
  const expectedCidrs = canonicalCidrs(service.ranges ?? []);
  return circumstances({ version, aclList, adopting, marks, notedOpenings, expectedCidrs });
}

function madeOf(noted: RandomWorld['noted']): ReadonlySet<string> {
  return new Set(noted.map(({ port, protocol, sourceCidrs }) => openingId(placeOf(protocol, port), sourceCidrs)));
}

function planOf(model: Model, wanted: Desired, at: Circumstances): ReturnType<typeof plan> {
  return plan(wanted, observe(model.snapshot(isOwn)), at);
}

function run(model: Model, wanted: Desired, at: Circumstances, length?: number): void {
  const { steps, lookalikes } = planOf(model, wanted, at);
  model.foreign = new Set(lookalikes);
  for (const { action } of steps.slice(0, length)) model.apply(action);
}

/** Everything that can be told not to be ours without knowing how plans are made. */
function foreignThings(
  model: Model,
  { adopting, service, noted }: RandomWorld,
): { readonly [kind: string]: ReadonlySet<string> } {
  const own = [...model.rules.values()].filter(isOwn);
  const served = (one: FirewallRule): boolean =>
    own.some(
      (rule) =>
        rule.publicIpId === one.ipAddressId &&
        rule.publicPort === one.startPort &&
        transportOf(rule.protocol) === one.protocol,
    );
  const foreign = (one: FirewallRule): boolean => {
    if (one.startPort !== one.endPort || one.tags === OTHERS) return true;
    const wasMade = madeOf(noted).has(
      openingId(placeOf(transportOf(one.protocol), one.startPort ?? 0), one.sourceCidrs),
    );
    const mayBeOurs = served(one) && (adopting || wasMade || sameCidrs(one.sourceCidrs, service.ranges ?? []));
    return one.tags.length === 0 && one.id.startsWith('given') && !mayBeOurs;
  };
  return {
    rules: texts([...model.rules.values()].filter((one) => !isOwn(one))),
    openings: texts([...model.firewallRules.values()].filter(foreign)),
    items: texts(
      [...model.aclItems.values()].filter(({ reason }) => reason !== aclReason(LB) && (!adopting || reason !== '')),
    ),
  };
}

function texts(things: readonly unknown[]): ReadonlySet<string> {
  return new Set(things.map((thing) => JSON.stringify(thing)));
}

function isOwn({ name }: { readonly name: string }): boolean {
  return isNameOf(LB, name);
}

function assertUntouched(model: Model, before: ReturnType<typeof foreignThings>): void {
  const now = {
    rules: texts([...model.rules.values()]),
    openings: texts([...model.firewallRules.values()]),
    items: texts([...model.aclItems.values()]),
  };
  for (const [kind, things] of Object.entries(now)) {
    for (const thing of before[kind] ?? []) assert.ok(things.has(thing), `${thing} is as it was`);
  }
}

function assertReached(model: Model, wanted: Desired): void {
  const own = [...model.rules.values()].filter(isOwn);
  assert.equal(own.length, wanted.rules.length, 'exactly the wanted rules are there');
  for (const one of wanted.rules) {
    const found = own.find(({ publicPort }) => publicPort === one.publicPort);
    assert.ok(found, `a rule for port ${one.publicPort}`);
    assert.equal(found.name, one.name);
    assert.equal(found.publicIpId, ADDRESS.id);
    assert.equal(found.privatePort, one.privatePort);
    assert.ok(isProtocol(found.protocol, one.protocol));
    assert.equal(found.algorithm.toLowerCase(), one.algorithm);
    assert.ok(!one.sourceCidrs || sameCidrs(found.sourceCidrs ?? [], one.sourceCidrs));
    const ids = (model.members.get(found.id) ?? []).map(({ machineId }) => machineId).sort();
    assert.deepEqual(ids, MEMBERS.map(({ machineId }) => machineId).sort());
    assertOpen(model, wanted, one);
  }
  assertNothingElseOpen(model, wanted);
}

/** What we opened lets in nobody else. */
function assertNothingElseOpen(model: Model, wanted: Desired): void {
  for (const opening of model.firewallRules.values()) {
    if (ownershipOf(opening.tags, OWNER) !== 'ours' || opening.startPort !== opening.endPort) continue;
    assert.equal(wanted.network.access, 'firewall');
    assert.equal(opening.ipAddressId, ADDRESS.id);
    const one = wanted.rules.find(({ publicPort, transport }) => {
      return publicPort === opening.startPort && transport === opening.protocol;
    });
    const allowed = new Set(one?.openingCidrs);
    assert.ok(canonicalCidrs(opening.sourceCidrs).every((cidr) => allowed.has(cidr)));
  }
}

/** Everybody who should get in does. */
function assertOpen(model: Model, wanted: Desired, one: Desired['rules'][number]): void {
  if (wanted.network.access !== 'firewall') return;
  const open = [...model.firewallRules.values()].filter(
    (opening) =>
      opening.state === 'Active' &&
      opening.ipAddressId === ADDRESS.id &&
      opening.protocol === transportOf(one.protocol) &&
      (opening.startPort ?? 0) <= one.publicPort &&
      one.publicPort <= (opening.endPort ?? 0),
  );
  const sources = new Set(open.flatMap((opening) => canonicalCidrs(opening.sourceCidrs)));
  for (const cidr of one.openingCidrs) assert.ok(sources.has(cidr), `${cidr} gets in at ${one.publicPort}`);
}
