import type { Notice } from '@cloudstack-ccm/cloud-controllers';
import { canonicalCidrs } from './source-cidrs.ts';
import type { Step } from '../load-balancer/plan/step.ts';
import { placeOf, type Transport } from '../load-balancer/plan/protocol.ts';

/** Whom to let in at one port. */
export interface Opening {
  readonly transport: Transport;
  readonly port: number;
  /** In canonical form. */
  readonly cidrs: readonly string[];
  /** The chain that makes the rule for this port; undefined if the load balancer had one before this sync. */
  readonly makes: string | undefined;
  /** True while the rule keeps the sources that the controller before us left: so does what is open for it. */
  readonly inherited: boolean;
}

/** Steps that let in, and steps that shut what nobody wants any more. The second come later in a plan. */
export interface AccessPlan {
  readonly opening: readonly Step[];
  readonly closing: readonly Step[];
  readonly notices: readonly Notice[];
}

/** The chain of all steps that open or close one port of one address: the rule goes only after they worked. */
export function accessChain(place: string, addressId: string): string {
  return `access ${place} on ${addressId}`;
}

/** What tells one opening from another on the same address. */
export function openingId(place: string, cidrs: readonly string[]): string {
  return `${place} ${canonicalCidrs(cidrs).join()}`;
}

export function placeOfOpening(opening: Opening): string {
  return placeOf(opening.transport, opening.port);
}
