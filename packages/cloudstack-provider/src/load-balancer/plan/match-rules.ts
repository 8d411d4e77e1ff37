import type { Desired, DesiredRule } from './desired.ts';
import type { ObservedRule } from './observed.ts';

/** Which present rule serves which wanted port. */
export interface Matching {
  readonly pairs: readonly { readonly wanted: DesiredRule; readonly present: ObservedRule | undefined }[];
  /** Rules of ours that no port wants: removed ports, other addresses, duplicates. */
  readonly unclaimed: readonly ObservedRule[];
}

/**
 * A rule is known by its place: address, transport and public port. Its name is cosmetic; where a place is taken
 * twice, which CloudStack should not allow, the rightly named rule is preferred, then the older one.
 */
export function matchRules(
  wanted: Desired['rules'],
  present: readonly ObservedRule[],
  addressId: string | undefined,
): Matching {
  const claimed = new Set<ObservedRule>();
  const pairs = wanted.map((rule) => {
    const candidates = present.filter((one) => isAt(one, rule, addressId) && !claimed.has(one));
    const match = candidates.find((one) => one.name === rule.name) ?? candidates[0];
    if (match) claimed.add(match);
    return { wanted: rule, present: match };
  });
  return { pairs, unclaimed: present.filter((rule) => !claimed.has(rule)) };
}

function isAt(present: ObservedRule, wanted: DesiredRule, addressId: string | undefined): boolean {
  return (
    present.addressId === addressId &&
    present.publicPort === wanted.publicPort &&
    present.transport === wanted.transport
  );
}
