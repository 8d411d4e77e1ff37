import type { DeletionLimits } from '../cloud.ts';
import type { Decision, HoldReason } from './deletion-guard.ts';

/** Node deletions that wait for a witness or a person. */
export interface HeldDeletions {
  readonly reason: HoldReason;
  /** Names, sorted. */
  readonly nodes: readonly string[];
}

/** The annotation by which a person confirms on a node that its machine is gone: value `true`. */
export const CONFIRM_DELETION = 'cloudstack.apache.org/confirm-deletion';

const SHOWN = 20;

/** All nodes of one pass whose deletion is held; they share one reason. */
export function heldDeletions(decisions: ReadonlyMap<string, Decision>): HeldDeletions | undefined {
  const held = [...decisions].flatMap(([node, decision]) =>
    decision.action === 'hold' ? [{ node, reason: decision.reason }] : [],
  );
  const [first] = held;
  return first && { reason: first.reason, nodes: held.map(({ node }) => node).sort() };
}

/** One paragraph for events, logs and health: what is held, why, and what to do. */
export function describeHeld({ reason, nodes }: HeldDeletions, limits: DeletionLimits, totalNodes: number): string {
  const more = nodes.length > SHOWN ? ` and ${nodes.length - SHOWN} more` : '';
  const names = nodes.slice(0, SHOWN).join(', ') + more;
  return `Deletion of ${nodes.length} of ${totalNodes} nodes is held (${names}): ${why(reason, limits)}`;
}

function why(reason: HoldReason, { count, percent }: DeletionLimits): string {
  const confirm = `annotate the node with ${CONFIRM_DELETION}=true`;
  switch (reason) {
    case 'no-witness':
      return (
        'the cloud shows none of their machines, and no other machine of this cluster either, so the credentials or ' +
        `the project may be wrong. Check them; if a machine really is gone, ${confirm}.`
      );
    case 'too-many':
      return (
        `more than ${count} nodes and more than ${percent} % of all would go at once. Check whether their machines ` +
        `were moved out of sight; if a machine really is gone, ${confirm}, or raise ` +
        '--node-deletion-hold-count or --node-deletion-hold-percent.'
      );
    default:
      return reason satisfies never;
  }
}
