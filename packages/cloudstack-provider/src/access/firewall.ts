import type { Notice } from '@cloudstack-ccm/cloud-controllers';
import type { FirewallRule } from '@cloudstack-ccm/cloudstack-client';
import type { Ref } from '../load-balancer/plan/actions.ts';
import { notice } from '../load-balancer/report/events.ts';
import type { Address } from '../load-balancer/plan/observed.ts';
import type { Step } from '../load-balancer/plan/step.ts';
import { placeOf } from '../load-balancer/plan/protocol.ts';
import { ownershipOf, type OwnerIdentity } from '../ownership/marks.ts';
import { accessChain, openingId, placeOfOpening, type AccessPlan, type Opening } from './opening.ts';
import { sameCidrs, shareCidrText } from './source-cidrs.ts';

/** What is noted on a Service about firewall rules without our mark. */
export interface NotedOpenings {
  /** Ids. */
  readonly ours: ReadonlySet<string>;
  /** Ids. */
  readonly foreign: ReadonlySet<string>;
  /** What was made or about to be, by `openingId`. */
  readonly made: ReadonlySet<string>;
  /** Ids of the addresses that we took: nobody had opened anything on them before. */
  readonly takenAddresses: ReadonlySet<string>;
}

export interface FirewallInput {
  readonly address: Address;
  /** What is to be open. */
  readonly wanted: readonly Opening[];
  /** What this project would have opened: an unmarked rule that looks like it and whose port we serve is ours. */
  readonly expected: readonly Opening[];
  /** Every firewall rule of the address. */
  readonly present: readonly FirewallRule[];
  readonly owner: OwnerIdentity;
  /** Places at which an unmarked rule counts as ours, because the controller before us made its rules there. */
  readonly inheritedPlaces: ReadonlySet<string>;
  readonly noted: NotedOpenings;
}

export interface FirewallPlan extends AccessPlan {
  /** Firewall rules of ours that lack our mark when the steps are done. */
  readonly unmarked: readonly Ref[];
  /**
   * Rules of others that will look like ours as soon as the load balancer has a rule for their port. Note them before
   * it has.
   */
  readonly lookalikes: readonly string[];
}

/**
 * Makes each wanted port open for exactly its sources. CloudStack cannot change a firewall rule: where the old and the
 * new one have no network in common, both may stand at once and the port is never closed; otherwise the old one must go
 * first. Rules of others are never touched: what they let in already is not opened twice, which CloudStack refuses.
 */
export function planFirewall(input: FirewallInput): FirewallPlan {
  const ours = input.present.filter((rule) => isOurs(rule, input));
  const foreign = input.present.filter((rule) => !ours.includes(rule));
  const ports = input.wanted.map((opening) => planPort(opening, ours, foreign, input.address));
  const wantedPlaces = new Set(input.wanted.map(placeOfOpening));
  const surplus = ours.filter((rule) => !wantedPlaces.has(placeOfRule(rule)));
  const kept = ports.flatMap((port) => port.kept);
  return {
    opening: ports.flatMap((port) => port.steps),
    closing: surplus.map((rule) => close(rule, input.address)),
    unmarked: [
      ...kept.filter((rule) => ownershipOf(rule.tags, input.owner) === 'unmarked').map(({ id }) => ({ id })),
      ...ports.flatMap((port) => port.created.map((planned) => ({ planned }))),
    ],
    lookalikes: foreign.filter((rule) => isLookalike(rule, input)).map(({ id }) => id),
    notices: input.wanted.flatMap((opening) => tooOpen(opening, foreign, input.address)),
  };
}

interface PortPlan {
  readonly steps: readonly Step[];
  readonly kept: readonly FirewallRule[];
  readonly created: readonly string[];
}

function planPort(
  opening: Opening,
  ours: readonly FirewallRule[],
  foreign: readonly FirewallRule[],
  address: Address,
): PortPlan {
  const present = ours.filter((rule) => placeOfRule(rule) === placeOfOpening(opening));
  const missing = opening.cidrs.filter((cidr) => !foreign.some((rule) => covers(rule, opening, cidr)));
  const match = present.find((rule) => isLive(rule) && missing.length > 0 && sameCidrs(rule.sourceCidrs, missing));
  const obsolete = present.filter((rule) => rule !== match);
  if (match || missing.length === 0) {
    return { steps: obsolete.map((rule) => close(rule, address)), kept: match ? [match] : [], created: [] };
  }
  const create = open(opening, missing, address);
  const inTheWay = obsolete.filter((rule) => isLive(rule) && shareCidrText(rule.sourceCidrs, missing));
  const others = obsolete.filter((rule) => !inTheWay.includes(rule));
  const steps = [
    ...inTheWay.map((rule) => close(rule, address)),
    create,
    ...others.map((rule) => close(rule, address)),
  ];
  return { steps, kept: [], created: [keyOf(opening, address)] };
}

function open(opening: Opening, sourceCidrs: readonly string[], address: Address): Step {
  return {
    chain: accessChain(placeOfOpening(opening), address.id),
    // No port is opened for a rule that could not be made: it might be somebody else's port.
    needs: opening.makes === undefined ? [] : [opening.makes],
    action: {
      kind: 'create-firewall-rule',
      key: keyOf(opening, address),
      addressId: address.id,
      address: address.ipAddress,
      transport: opening.transport,
      port: opening.port,
      sourceCidrs,
    },
  };
}

function close(rule: FirewallRule, address: Address): Step {
  return {
    chain: accessChain(placeOfRule(rule), address.id),
    action: {
      kind: 'delete-firewall-rule',
      id: rule.id,
      address: address.ipAddress,
      transport: rule.protocol,
      port: rule.startPort ?? 0,
      sourceCidrs: rule.sourceCidrs,
    },
  };
}

function keyOf(opening: Opening, address: Address): string {
  return `firewall ${placeOfOpening(opening)} on ${address.id}`;
}

/** Rules of several ports are never ours, whatever they are marked with: we make none. */
function isOurs(rule: FirewallRule, { owner, expected, inheritedPlaces, noted }: FirewallInput): boolean {
  if (!isSinglePort(rule)) return false;
  const ownership = ownershipOf(rule.tags, owner);
  if (ownership !== 'unmarked') return ownership === 'ours';
  if (noted.foreign.has(rule.id)) return false;
  if (noted.ours.has(rule.id) || inheritedPlaces.has(placeOfRule(rule))) return true;
  if (noted.takenAddresses.has(rule.ipAddressId) && wasMade(rule, noted)) return true;
  return expected.some(
    (opening) =>
      opening.makes === undefined && isAt(rule, opening) && (wasMade(rule, noted) || resembles(rule, opening)),
  );
}

function isLookalike(rule: FirewallRule, { owner, expected, noted }: FirewallInput): boolean {
  if (noted.foreign.has(rule.id)) return true;
  return (
    isSinglePort(rule) &&
    ownershipOf(rule.tags, owner) === 'unmarked' &&
    (wasMade(rule, noted) || expected.some((opening) => resembles(rule, opening)))
  );
}

function wasMade(rule: FirewallRule, { made }: NotedOpenings): boolean {
  return made.has(openingId(placeOfRule(rule), rule.sourceCidrs));
}

function isAt(rule: FirewallRule, opening: Opening): boolean {
  return placeOfRule(rule) === placeOfOpening(opening);
}

function resembles(rule: FirewallRule, opening: Opening): boolean {
  return isAt(rule, opening) && sameCidrs(rule.sourceCidrs, opening.cidrs);
}

/** A rule in state `Deleting` is the rest of a failed command: it opens nothing and can only be deleted. */
function isLive(rule: FirewallRule): boolean {
  return rule.state !== 'Deleting';
}

/** True if the rule lets the network in at the opening's port: a second rule with the same text is then refused. */
function covers(rule: FirewallRule, opening: Opening, cidr: string): boolean {
  return isLive(rule) && spans(rule, opening) && rule.sourceCidrs.includes(cidr);
}

function spans(rule: FirewallRule, { transport, port }: Opening): boolean {
  const { startPort, endPort = startPort } = rule;
  if (rule.protocol !== transport || startPort === undefined || endPort === undefined) return false;
  return startPort <= port && port <= endPort;
}

function isSinglePort(rule: FirewallRule): boolean {
  return rule.startPort !== undefined && (rule.endPort ?? rule.startPort) === rule.startPort;
}

function placeOfRule(rule: FirewallRule): string {
  return placeOf(rule.protocol === 'udp' ? 'udp' : 'tcp', rule.startPort ?? 0);
}

function tooOpen(opening: Opening, foreign: readonly FirewallRule[], address: Address): readonly Notice[] {
  return foreign
    .filter((rule) => isLive(rule) && spans(rule, opening))
    .filter((rule) => !rule.sourceCidrs.every((cidr) => opening.cidrs.includes(cidr)))
    .map((rule) => {
      const what =
        `firewall rule ${rule.id} on ${address.ipAddress}, made by somebody else, lets ${rule.sourceCidrs.join(', ')} ` +
        `in at ${opening.transport} port ${opening.port}, where ${opening.cidrs.join(', ')} was asked for`;
      return notice('ForeignFirewallRule', what);
    });
}
