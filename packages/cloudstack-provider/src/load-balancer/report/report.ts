import { CombinedError } from '@cloudstack-ccm/base';
import type { ServiceContext } from '@cloudstack-ccm/cloud-controllers';
import type { Resolution } from '../../instances/resolver.ts';
import { NodesNotMatchedError, type ActionError } from '../errors.ts';
import { notice } from './events.ts';
import { explain } from './explain.ts';
import type { WantedMembers } from '../members/members.ts';
import type { Problem } from '../annotations/problem.ts';
import type { Unread } from '../observe/read.ts';
import type { ServerFeatures } from '../plan/server-features.ts';

/** Tells the user of annotations that have no effect. */
export function warnOf(context: ServiceContext, warnings: readonly Problem[]): void {
  for (const { message } of warnings) context.notify(notice('UnknownAnnotation', message));
}

/** Tells the user which nodes get no traffic, and why. */
export function tellSkipped(context: ServiceContext, { skipped }: WantedMembers): void {
  if (skipped.length === 0) return;
  const list = skipped.map(({ node, reason }) => `${node} (${reason})`).join(', ');
  context.notify(notice('NodeNotMatched', `no traffic goes to ${list}`));
}

/**
 * Tells the user what failed, in plain words.
 * @returns the errors that a new try may mend; undefined when there is none
 */
export function tellFailures(
  context: ServiceContext,
  errors: readonly ActionError[],
  features: ServerFeatures,
  unread: readonly Unread[] = [],
): Error | undefined {
  const serious: Error[] = [];
  for (const error of errors) {
    const { notice: told, tolerable } = explain(error, features);
    if (told) context.notify(told);
    if (tolerable) context.log.warn(error.message);
    else serious.push(error);
  }
  for (const { what, error } of unread) {
    serious.push(new Error(`error retrieving ${what}: ${error.message}`, { cause: error }));
  }
  return CombinedError.of(serious);
}

/** No node has a machine. That nodes which join are not initialised yet is no reason for a warning. */
export function noneResolved(
  context: ServiceContext,
  unresolved: Resolution['unresolved'],
  whereToLook: string,
): NodesNotMatchedError {
  const known = unresolved.filter(({ node }) => !node.uninitialized);
  if (known.length > 0)
    return noneMatched(
      context,
      known.map(({ reason }) => reason),
      whereToLook,
    );
  const names = unresolved.map(({ node }) => node.name).join(', ');
  return new NodesNotMatchedError(`no node is initialised yet: ${names}`);
}

/** The words of the Go CCM, which operators search for, and which nodes they are about. */
export function noneMatched(
  context: ServiceContext,
  reasons: readonly string[],
  whereToLook: string,
): NodesNotMatchedError {
  // In front of the nodes: there may be so many that an event is cut off.
  const why = [whereToLook, ...reasons].join('; ');
  const what = `none of the hosts matched the list of VMs retrieved from CS API: ${why}`;
  context.notify(notice('NodeNotMatched', what));
  return new NodesNotMatchedError(`${what}; check project-id and the account of the API key`);
}
