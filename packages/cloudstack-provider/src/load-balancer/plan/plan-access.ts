import type { Notice } from '@cloudstack-ccm/cloud-controllers';
import { planFirewall, type FirewallPlan } from '../../access/firewall.ts';
import { planNetworkAcl } from '../../access/network-acl.ts';
import type { Opening } from '../../access/opening.ts';
import { marksOf } from '../../ownership/marks.ts';
import type { Ref } from './actions.ts';
import type { Circumstances } from './circumstances.ts';
import type { Desired } from './desired.ts';
import type { Matching } from './match-rules.ts';
import type { Address, Observed, ObservedRule } from './observed.ts';
import type { Step } from './step.ts';
import { inheritsSources, ruleChain, type RuleContext } from './plan-rule.ts';
import { placeOf } from './protocol.ts';

interface Access {
  readonly opening: readonly Step[];
  readonly closing: readonly Step[];
  readonly marking: readonly Step[];
  readonly unmarked: readonly Ref[];
  readonly lookalikes: readonly string[];
  readonly notices: readonly Notice[];
}

const NOTHING: Access = { opening: [], closing: [], marking: [], unmarked: [], lookalikes: [], notices: [] };

/** Firewall rules on each address involved, and items of network ACL lists. */
export function planAccess(
  desired: Desired,
  observed: Observed,
  matching: Matching,
  circumstances: Circumstances,
): Access {
  if (circumstances.accessRules === 'none') return NOTHING;
  const openings = openingsOf(matching, { desired, circumstances });
  const target = circumstances.address;
  const filters = desired.network.access === 'firewall';
  const firewalls = addressesOf(observed, target).map((address) =>
    planFirewallOf(address, address.id === target?.id ? openings : [], filters, observed, circumstances),
  );
  const acl = planNetworkAcl({
    loadBalancer: desired.loadBalancer,
    list: circumstances.aclList,
    wanted: desired.network.access === 'network-acl' && circumstances.aclList ? openings : [],
    present: observed.aclItems,
    adopting: circumstances.adopting,
  });
  const plans = [...firewalls, acl];
  const unmarked = firewalls.flatMap((one) => one.unmarked);
  return {
    opening: plans.flatMap((one) => one.opening),
    closing: plans.flatMap((one) => one.closing),
    marking: circumstances.marks ? mark(unmarked, circumstances) : [],
    unmarked,
    lookalikes: firewalls.flatMap((one) => one.lookalikes),
    notices: plans.flatMap((one) => one.notices),
  };
}

function openingsOf({ pairs }: Matching, context: RuleContext): readonly Opening[] {
  return pairs.map(({ wanted, present }) => ({
    transport: wanted.transport,
    port: wanted.publicPort,
    cidrs: wanted.openingCidrs,
    makes: present ? undefined : ruleChain(wanted.name),
    inherited: present !== undefined && inheritsSources(wanted, present, context),
  }));
}

function planFirewallOf(
  address: Address,
  openings: readonly Opening[],
  filters: boolean,
  observed: Observed,
  { owner, adopting, notedOpenings, expectedCidrs }: Circumstances,
): FirewallPlan {
  const rules = observed.rules.filter((rule) => rule.addressId === address.id);
  return planFirewall({
    address,
    wanted: filters ? openings : [],
    expected: [...openings, ...rules.map(establishedOpening)].map((one) => ({ ...one, cidrs: expectedCidrs })),
    present: observed.firewallRules.filter((rule) => rule.ipAddressId === address.id),
    owner,
    inheritedPlaces: new Set(adopting ? rules.map((rule) => placeOf(rule.transport, rule.publicPort)) : []),
    noted: notedOpenings,
  });
}

function establishedOpening({ transport, publicPort: port }: ObservedRule): Omit<Opening, 'cidrs'> {
  return { transport, port, makes: undefined, inherited: false };
}

/** The address to use first, then every other that still carries rules or openings. */
function addressesOf(observed: Observed, target: Address | undefined): readonly Address[] {
  const addresses = new Map<string, Address>(target ? [[target.id, target]] : []);
  for (const { addressId: id, address: ipAddress } of observed.rules) addresses.set(id, { id, ipAddress });
  for (const { ipAddressId: id, ipAddress } of observed.firewallRules) addresses.set(id, { id, ipAddress });
  return [...addresses.values()];
}

/** One call for all of them, as soon as they exist: it works beside the jobs that apply them. */
function mark(objects: readonly Ref[], { owner }: Circumstances): readonly Step[] {
  if (objects.length === 0) return [];
  const action = { kind: 'add-tags', resourceType: 'FirewallRule', objects, tags: marksOf(owner) } as const;
  return [{ chain: 'marks of firewall rules', aside: 'access', eager: true, action }];
}
