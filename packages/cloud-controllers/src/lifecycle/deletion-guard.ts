import type { DeletionLimits, Sighting, Sightings } from '../cloud.ts';

/** What the guard must know of a node. */
export interface GuardedNode {
  readonly name: string;
  readonly uid: string;
  readonly ready: boolean;
  /** Has a provider ID: that its machine could not be told is then no lasting state. */
  readonly identified: boolean;
  /** Carries the shutdown taint. */
  readonly shutdownTaint: boolean;
  /** A person confirmed on the node that its machine is gone. */
  readonly confirmed: boolean;
}

/**
 * - `no-witness`: the pass saw no machine of this cluster at all, so it may have looked with the wrong eyes.
 * - `too-many`: more nodes than the limits allow would go at once.
 */
export type HoldReason = 'no-witness' | 'too-many';

export type Decision =
  | { readonly action: 'none' | 'wait' | 'taint' | 'untaint' }
  | { readonly action: 'delete'; readonly proof: 'gone' | 'absent' | 'confirmed' }
  | { readonly action: 'hold'; readonly reason: HoldReason }
  | { readonly action: 'report'; readonly reason: string };

/** What one pass leaves for the next. Keyed by node UID, and made anew in each pass, so it forgets nodes that left. */
export interface GuardMemory {
  /** Nodes whose machine was absent in the former pass, and whether that pass had a witness. */
  readonly absent: ReadonlyMap<string, { readonly witnessed: boolean }>;
  /** Nodes that were let go for absence, with the monotonic time. */
  readonly deleted: ReadonlyMap<string, number>;
}

export const EMPTY_MEMORY: GuardMemory = { absent: new Map(), deleted: new Map() };

export interface Pass {
  /** All nodes of the cluster. */
  readonly nodes: readonly GuardedNode[];
  /** What the cloud showed of those that are not ready. */
  readonly sightings: Sightings;
  /** Monotonic, in milliseconds. */
  readonly now: number;
}

export interface Verdict {
  /** By node name. */
  readonly decisions: ReadonlyMap<string, Decision>;
  readonly memory: GuardMemory;
}

/**
 * Decides what happens to each node, from what one pass and the pass before it showed. CloudStack gives the same empty
 * answer for a machine that is gone and for one that these credentials must not see, so absence alone proves nothing.
 * A node goes only if it is not ready and
 * - its machine was seen in a state from which it never comes back; or
 * - its machine was absent in two complete passes in a row, each of which saw another machine of this cluster, and
 *   not too many nodes are lost at once; or
 * - its machine was absent in two complete passes, and a person confirmed on the node that it is gone.
 */
export function judge(pass: Pass, former: GuardMemory, limits: DeletionLimits): Verdict {
  const absent = pass.nodes.filter((node) => !node.ready && sightingOf(pass, node).state === 'absent');
  const witnessed = isWitnessed(pass.sightings);
  const deleted = recent(former.deleted, pass.now - limits.windowMs);
  const tooMany = exceeds(limits, pass.nodes, [...absent, ...doubtful(pass)], deleted);
  const court: Court = { pass, former, witnessed, tooMany };
  const decisions = new Map(pass.nodes.map((node) => [node.name, decide(court, node)]));
  for (const node of absent) {
    if (isAbsenceProof(decisions.get(node.name))) deleted.set(node.uid, pass.now);
  }
  return { decisions, memory: { absent: new Map(absent.map(({ uid }) => [uid, { witnessed }])), deleted } };
}

/** What remains after a pass in which the cloud could not be asked: absence must be shown twice again. */
export function afterFailedPass(former: GuardMemory): GuardMemory {
  return { absent: new Map(), deleted: former.deleted };
}

interface Court {
  readonly pass: Pass;
  readonly former: GuardMemory;
  readonly witnessed: boolean;
  readonly tooMany: boolean;
}

function decide(court: Court, node: GuardedNode): Decision {
  if (node.ready) return { action: node.shutdownTaint ? 'untaint' : 'none' };
  const sighting = sightingOf(court.pass, node);
  switch (sighting.state) {
    case 'gone':
      return { action: 'delete', proof: 'gone' };
    case 'stopped':
      return { action: node.shutdownTaint ? 'none' : 'taint' };
    case 'absent':
      return decideAbsent(court, node);
    case 'unknown':
      return { action: 'report', reason: sighting.reason };
    case 'running':
    case 'foreign':
      return { action: 'none' };
    default:
      return sighting satisfies never;
  }
}

function decideAbsent({ former, witnessed, tooMany }: Court, node: GuardedNode): Decision {
  const earlier = former.absent.get(node.uid);
  if (!earlier) return { action: 'wait' };
  if (node.confirmed) return { action: 'delete', proof: 'confirmed' };
  if (!witnessed) return { action: 'hold', reason: 'no-witness' };
  if (!earlier.witnessed) return { action: 'wait' };
  return tooMany ? { action: 'hold', reason: 'too-many' } : { action: 'delete', proof: 'absent' };
}

function sightingOf({ sightings }: Pass, { name }: GuardedNode): Sighting {
  return sightings.byNode.get(name) ?? { state: 'unknown', reason: 'the cloud said nothing about this node' };
}

/** One question that fails must not make a flood look like a trickle: who could not be told may be lost as well. */
function doubtful(pass: Pass): readonly GuardedNode[] {
  return pass.nodes.filter((node) => !node.ready && node.identified && sightingOf(pass, node).state === 'unknown');
}

/** A witness that is itself absent would be none. */
function isWitnessed({ witness, byNode }: Sightings): boolean {
  return witness !== undefined && byNode.get(witness)?.state !== 'absent';
}

function recent(deleted: GuardMemory['deleted'], since: number): Map<string, number> {
  return new Map([...deleted].filter(([, time]) => time > since));
}

/** Counts nodes that are missing now, confirmed ones left out, and those that went lately. */
function exceeds(
  { count, percent }: DeletionLimits,
  nodes: readonly GuardedNode[],
  missing: readonly GuardedNode[],
  deleted: ReadonlyMap<string, number>,
): boolean {
  const lost = new Set([...missing.filter(({ confirmed }) => !confirmed).map(({ uid }) => uid), ...deleted.keys()]);
  const all = new Set([...nodes.map(({ uid }) => uid), ...deleted.keys()]);
  return lost.size > count && lost.size * 100 > percent * all.size;
}

function isAbsenceProof(decision: Decision | undefined): boolean {
  return decision?.action === 'delete' && decision.proof === 'absent';
}
