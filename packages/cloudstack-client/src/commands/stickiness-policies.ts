import { stickinessPolicies, type StickinessPolicy } from '../entities/stickiness-policy.ts';
import { jobCommand, listCommand } from './command.ts';
import { success, under } from './results.ts';

/** One item a rule: the list of its policies. */
export const listStickinessPolicies = listCommand<{ readonly lbRuleId: string }, readonly StickinessPolicy[]>({
  command: 'listLBStickinessPolicies',
  items: 'stickinesspolicies',
  decode: stickinessPolicies,
  paged: false,
  identify: (policies) => policies.map((policy) => policy.id).join(),
});

export type CreateStickinessPolicy = {
  readonly lbRuleId: string;
  readonly name: string;
  readonly methodName: string;
  /** Entries `{name, value}`. A flag counts as on whatever its value. */
  readonly param?: readonly { readonly name: string; readonly value: string }[] | undefined;
  readonly description?: string | undefined;
};

/** Replaces a policy that the rule has, whoever made it. The result is the rule's policies. */
export const createStickinessPolicy = jobCommand<CreateStickinessPolicy, readonly StickinessPolicy[]>({
  command: 'createLBStickinessPolicy',
  decode: under('stickinesspolicies', stickinessPolicies),
});

export const deleteStickinessPolicy = jobCommand<{ readonly id: string }, void>({
  command: 'deleteLBStickinessPolicy',
  decode: success,
});
