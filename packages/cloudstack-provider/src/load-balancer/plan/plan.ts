import type { LoadBalancerRule } from '@cloudstack-ccm/cloudstack-client';
import type { Circumstances } from './circumstances.ts';
import { planDepartures } from './departures.ts';
import type { Desired } from './desired.ts';
import { matchRules } from './match-rules.ts';
import type { Observed } from './observed.ts';
import { planAccess } from './plan-access.ts';
import { creationSteps, newMemberSteps, planPresentRule } from './plan-rule.ts';
import type { Plan, Step } from './step.ts';

/**
 * What has to be done so that the cloud is as desired. What holds a port that a new rule needs goes first; then present
 * rules change, new ones are made, opened and given members; what nobody wants any more goes last.
 */
export function plan(desired: Desired, observed: Observed, circumstances: Circumstances): Plan {
  const addressId = circumstances.address?.id;
  const matching = matchRules(desired.rules, observed.rules, addressId);
  const context = { desired, circumstances };
  const present = matching.pairs.flatMap(({ wanted, present: rule }) =>
    rule ? [planPresentRule(wanted, rule, context)] : [],
  );
  const added = matching.pairs.filter((pair) => !pair.present).map((pair) => pair.wanted);
  const access = planAccess(desired, observed, matching, circumstances);
  const departures = planDepartures(matching.unclaimed, added, addressId, access.closing);
  return {
    steps: [
      ...observed.rests.map(removeRest),
      ...departures.blocking,
      ...present.flatMap((one) => one.steps),
      ...added.flatMap((rule) => creationSteps(rule, context)),
      ...access.opening.map((step) => ({ ...step, aside: 'access' as const })),
      ...access.marking,
      ...added.flatMap((rule) => newMemberSteps(rule, undefined, context)),
      ...departures.leaving,
      ...departures.moving,
    ],
    unmarked: access.unmarked,
    lookalikes: access.lookalikes,
    notices: [...present.flatMap((one) => one.notices), ...access.notices],
  };
}

function removeRest({ id, name, publicIp }: LoadBalancerRule): Step {
  const action = { kind: 'delete-rule', id, ruleName: name, address: publicIp } as const;
  return { chain: `end of rule ${id}`, action };
}
