import { aclChain } from '../../access/network-acl.ts';
import { accessChain } from '../../access/opening.ts';
import type { DesiredRule } from './desired.ts';
import type { ObservedRule } from './observed.ts';
import type { Step } from './step.ts';
import { ruleChain } from './plan-rule.ts';
import { placeOf } from './protocol.ts';

/** What goes, in the three places of a plan where something may go. */
export interface Departures {
  /** Before anything is made: what holds a port that a new rule needs. */
  readonly blocking: readonly Step[];
  /** After the new rules work: removed ports. */
  readonly leaving: readonly Step[];
  /** Only if nothing failed: what another address served until now. */
  readonly moving: readonly Step[];
}

/**
 * Orders the end of rules that nobody wants: a rule's openings are shut first, and it stays until that has worked.
 * @param addressId the address that stays in use; undefined when none does
 * @param closing steps that shut openings that nobody wants, with or without a rule
 */
export function planDepartures(
  unclaimed: readonly ObservedRule[],
  added: readonly DesiredRule[],
  addressId: string | undefined,
  closing: readonly Step[],
): Departures {
  const blocking: Step[] = [];
  const leaving: Step[] = [];
  const moving: Step[] = [];
  const pending = new Set(closing);
  for (const rule of unclaimed) {
    const chains = chainsOf(rule);
    const own = [...pending].filter((step) => chains.includes(step.chain));
    own.forEach((step) => pending.delete(step));
    const blocked = added.find((one) => rule.addressId === addressId && one.publicPort === rule.publicPort);
    const steps = [...own, removal(rule, chains, blocked)];
    if (blocked) blocking.push(...steps);
    else if (addressId === undefined || rule.addressId === addressId) leaving.push(...steps);
    else moving.push(...steps.map((step) => ({ ...step, last: true })));
  }
  return { blocking, leaving: [...leaving, ...pending], moving };
}

/** A rule that blocks another belongs to the other's chain: unless it goes, the other cannot be made. */
function removal(rule: ObservedRule, needs: readonly string[], blocked: DesiredRule | undefined): Step {
  const { id, name, address } = rule;
  const chain = blocked ? ruleChain(blocked.name) : `end of rule ${id}`;
  return { chain, needs, action: { kind: 'delete-rule', id, ruleName: name, address } };
}

function chainsOf(rule: ObservedRule): readonly string[] {
  const place = placeOf(rule.transport, rule.publicPort);
  return [accessChain(place, rule.addressId), aclChain(place)];
}
