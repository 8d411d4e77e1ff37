import type { Notice } from '@cloudstack-ccm/cloud-controllers';
import { ANYWHERE, sameCidrs } from '../../access/source-cidrs.ts';
import { describeOwner } from '../../ownership/marks.ts';
import type { CreateRule, RuleChanges } from './actions.ts';
import type { Circumstances } from './circumstances.ts';
import type { Desired, DesiredRule } from './desired.ts';
import { notice } from '../report/events.ts';
import { memberChange, membersToAdd, type Member, type WantedMembers } from '../members/members.ts';
import type { ObservedRule } from './observed.ts';
import type { Step } from './step.ts';
import { isProtocol, type Algorithm } from './protocol.ts';
import type { ServerFeatures } from './server-features.ts';
import { MANAGED_POLICY, sameStickiness } from '../annotations/stickiness.ts';

/** What planning one rule needs to know besides the rule. */
export interface RuleContext {
  readonly desired: Desired;
  readonly circumstances: Circumstances;
}

interface RulePlan {
  readonly steps: readonly Step[];
  readonly notices: readonly Notice[];
}

/** Steps of one rule build on each other. */
export function ruleChain(name: string): string {
  return `rule ${name}`;
}

/** Brings a present rule to what is wanted: in place where CloudStack can, otherwise by making it anew at once. */
export function planPresentRule(rule: DesiredRule, present: ObservedRule, context: RuleContext): RulePlan {
  const inherited = inheritsSources(rule, present, context);
  const wanted = inherited ? { ...rule, sourceCidrs: present.sourceCidrs } : rule;
  const obstacle = unchangeable(wanted, present, context.circumstances.features);
  if (obstacle === undefined) {
    const steps = [
      ...updateSteps(wanted, present, context.circumstances.features),
      ...memberSteps(present, context.desired.members, wanted.name),
      ...stickinessSteps(wanted, present),
    ];
    return { steps, notices: inherited ? [tooLenient(present)] : [] };
  }
  // Without knowing the members a new rule could not be given them.
  if (!present.members) return { steps: [], notices: [] };
  const steps = [remove(present, rule), ...creationSteps(rule, context), ...newMemberSteps(rule, present, context)];
  const what = `port ${rule.publicPort} is interrupted: rule ${present.name} is made anew, because ${obstacle}`;
  return { steps, notices: [notice('TrafficInterrupted', what)] };
}

/** The steps that make a rule; members and stickiness come later, after its openings. */
export function creationSteps(wanted: DesiredRule, context: RuleContext): readonly Step[] {
  return [{ chain: ruleChain(wanted.name), action: creation(wanted, context) }];
}

/** Members and stickiness of a rule that the plan has made before. */
export function newMemberSteps(
  wanted: DesiredRule,
  replaced: ObservedRule | undefined,
  { desired }: RuleContext,
): readonly Step[] {
  const members = membersOfNewRule(desired.members, replaced?.members ?? []);
  const rule = { rule: { planned: wanted.name }, ruleName: wanted.name };
  const chain = ruleChain(wanted.name);
  return [
    ...(members.length > 0 ? [{ chain, action: { kind: 'add-members', ...rule, members } } as const] : []),
    ...(wanted.stickiness
      ? [{ chain, action: { kind: 'set-stickiness', ...rule, stickiness: wanted.stickiness } } as const]
      : []),
  ];
}

/** Why a rule cannot be changed in place; undefined when it can. */
function unchangeable(wanted: DesiredRule, present: ObservedRule, features: ServerFeatures): string | undefined {
  if (present.privatePort !== wanted.privatePort) {
    return `its node port changes from ${present.privatePort} to ${wanted.privatePort}`;
  }
  if (!features.changeRuleSourceCidrs && differs(wanted, present)) {
    return 'CloudStack before 4.22 cannot change its source list';
  }
  return undefined;
}

/**
 * Controllers before us did not apply source ranges to rules. Taking over interrupts nothing: in the first sync the
 * list stays, and where it can only change by an interruption, until the user changes the ranges.
 */
export function inheritsSources(
  wanted: DesiredRule,
  present: ObservedRule,
  { desired, circumstances: { adopting, features, inheritedRanges } }: RuleContext,
): boolean {
  if (!desired.rangesOnRules || !differs(wanted, present) || !sameCidrs(present.sourceCidrs, [ANYWHERE])) return false;
  return adopting || (!features.changeRuleSourceCidrs && inheritedRanges === wanted.sourceCidrs?.join());
}

function tooLenient({ name }: ObservedRule): Notice {
  const what =
    `rule ${name}, made by an earlier controller, does not apply spec.loadBalancerSourceRanges yet, because that ` +
    'may interrupt it: change the ranges, or set the source-cidrs annotation, to have it applied';
  return notice('SourceRangesNotEnforced', what);
}

function differs(wanted: DesiredRule, present: ObservedRule): boolean {
  return wanted.sourceCidrs !== undefined && !sameCidrs(wanted.sourceCidrs, present.sourceCidrs);
}

function updateSteps(wanted: DesiredRule, present: ObservedRule, features: ServerFeatures): readonly Step[] {
  const changes: RuleChanges = {
    ...(present.name !== wanted.name && { name: wanted.name }),
    ...(!isProtocol(present.protocol, wanted.protocol) && { protocol: wanted.protocol }),
    ...(present.algorithm !== wanted.algorithm && { algorithm: wanted.algorithm }),
    ...(wanted.sourceCidrs && differs(wanted, present) && { sourceCidrs: wanted.sourceCidrs }),
  };
  if (Object.keys(changes).length === 0) return [];
  const unheard = changes.protocol !== undefined && changes.algorithm === undefined && !features.applyProtocolChange;
  if (!unheard) return [update(wanted, present, changes)];
  // Before 4.22 the router hears of a new protocol only together with a new algorithm: there and back.
  return [
    update(wanted, present, { ...changes, algorithm: anotherAlgorithm(wanted.algorithm) }),
    update(wanted, present, { algorithm: wanted.algorithm }),
  ];
}

function anotherAlgorithm(algorithm: Algorithm): Algorithm {
  return algorithm === 'source' ? 'roundrobin' : 'source';
}

function update(wanted: DesiredRule, { id, name }: ObservedRule, changes: RuleChanges): Step {
  return { chain: ruleChain(wanted.name), action: { kind: 'update-rule', id, ruleName: name, changes } };
}

function remove(present: ObservedRule, wanted: DesiredRule): Step {
  const { id, name, address } = present;
  return { chain: ruleChain(wanted.name), action: { kind: 'delete-rule', id, ruleName: name, address } };
}

function creation(wanted: DesiredRule, { desired, circumstances }: RuleContext): CreateRule {
  const { address, owner } = circumstances;
  if (!address) throw new Error('rules are wanted, but no address for them');
  return {
    kind: 'create-rule',
    name: wanted.name,
    description: describeOwner(owner, desired.loadBalancer),
    protocol: wanted.protocol,
    algorithm: wanted.algorithm,
    addressId: address.id,
    address: address.ipAddress,
    networkId: desired.network.id,
    publicPort: wanted.publicPort,
    privatePort: wanted.privatePort,
    sourceCidrs: wanted.sourceCidrs,
  };
}

/** What brings the members of a present rule to what is wanted. */
export function memberSteps(
  present: ObservedRule,
  wanted: WantedMembers | undefined,
  ruleName = present.name,
): readonly Step[] {
  if (!wanted || !present.members) return [];
  const ref = { rule: { id: present.id }, ruleName };
  const chain = ruleChain(ruleName);
  const add = (members: readonly Member[]): readonly Step[] =>
    members.length > 0 ? [{ chain, action: { kind: 'add-members', ...ref, members } }] : [];
  const remove = (members: readonly Member[]): readonly Step[] =>
    members.length > 0 ? [{ chain, action: { kind: 'remove-members', ...ref, members } }] : [];
  // The router never learnt of these members, so nothing is lost by taking them out first.
  if (present.stuck) return [...remove(present.members.map(whole)), ...add(membersOfNewRule(wanted, present.members))];
  const change = memberChange(wanted, present.members);
  return [...add(change.add), ...remove(change.remove)];
}

/** Of a member, all of its addresses. */
function whole({ machineId, name }: Member): Member {
  return { machineId, name };
}

/** The wanted members, and of the former ones those that may belong to nodes that could not be found. */
function membersOfNewRule(wanted: WantedMembers | undefined, former: readonly Member[]): readonly Member[] {
  if (!wanted) return former;
  const leaving = new Set(memberChange(wanted, former).remove.map(({ machineId }) => machineId));
  const kept = former.filter(({ machineId }) => !leaving.has(machineId) && !wanted.nodes.has(machineId));
  return [...membersToAdd(wanted), ...kept];
}

/** Only policies that carry the mark of the Go CCM and of this project are removed; a new one replaces any. */
function stickinessSteps(wanted: DesiredRule, present: ObservedRule): readonly Step[] {
  const { policies } = present;
  if (!policies) return [];
  const chain = ruleChain(wanted.name);
  const marked = policies.filter((policy) => policy.description === MANAGED_POLICY);
  const { stickiness } = wanted;
  if (!stickiness) {
    return marked.map(({ id }) => ({ chain, action: { kind: 'remove-stickiness', id, ruleName: wanted.name } }));
  }
  const equal = marked.some(({ methodName, params }) =>
    sameStickiness(stickiness, { method: methodName, parameters: params }),
  );
  const rule = { rule: { id: present.id }, ruleName: wanted.name };
  return equal ? [] : [{ chain, action: { kind: 'set-stickiness', ...rule, stickiness } }];
}
