import { CodedError, messageOf, shorten } from '@cloudstack-ccm/base';
import type { Condition } from '@cloudstack-ccm/kubernetes';

import type { Notice } from '../cloud.ts';
import { stateOf } from '../told.ts';

/** A condition without the time of its last change. */
export type State = Omit<Condition, 'lastTransitionTime'>;

/** What one sync came to. */
export interface Outcome {
  /** Undefined when it went well. */
  readonly error?: unknown;
  /** Warnings that it gave. */
  readonly warnings: readonly Notice[];
}

/** The API server refuses longer ones. */
const LONGEST_MESSAGE = 32_768;

/**
 * `LoadBalancerReady`: the last sync did all that it had to. `LoadBalancerComplete`: the Service has all that it asks
 * for; otherwise the message says what it has not, and what to do.
 */
export function statesOf(domain: string, { error, warnings }: Outcome): readonly State[] {
  const [first] = warnings;
  const failed = error === undefined ? undefined : { reason: reasonOf(error), message: messageOf(error) };
  const missing = first && { reason: first.reason, message: warnings.map(({ message }) => message).join('\n') };
  return [
    state(`${domain}/LoadBalancerReady`, failed, 'Ensured', 'The load balancer is as the Service wants it.'),
    state(
      `${domain}/LoadBalancerComplete`,
      missing ?? failed,
      'AsSpecified',
      'Nothing that the Service asks for is missing.',
    ),
  ];
}

/** Those that have to be written; one that says what is wanted already keeps its time. */
export function changedConditions(
  present: readonly Condition[],
  wanted: readonly State[],
  now: number,
): readonly Condition[] {
  return wanted.flatMap((state) => {
    const before = present.find(({ type }) => type === state.type);
    if (before && isSame(before, state)) return [];
    const since = before?.status === state.status ? before.lastTransitionTime : undefined;
    return [{ ...state, lastTransitionTime: since ?? new Date(now).toISOString().replace(/\.\d+Z$/, 'Z') }];
  });
}

/** What is wrong, as conditions that were written earlier say. */
export interface Shown {
  readonly failure: string | undefined;
  readonly warnings: readonly string[];
}

export function shownBy(domain: string, present: readonly Condition[]): Shown {
  const wrong = (name: string): string | undefined =>
    present.find(({ type, status }) => type === `${domain}/${name}` && status === 'False')?.message;
  return { failure: wrong('LoadBalancerReady'), warnings: wrong('LoadBalancerComplete')?.split('\n') ?? [] };
}

/** The types of our conditions that the Service has. */
export function ownTypes(domain: string, present: readonly Condition[]): readonly string[] {
  return present.map(({ type }) => type).filter((type) => type.startsWith(`${domain}/LoadBalancer`));
}

function state(
  type: string,
  problem: Pick<State, 'reason' | 'message'> | undefined,
  reason: string,
  message: string,
): State {
  return problem
    ? { type, status: 'False', reason: problem.reason, message: shorten(problem.message, LONGEST_MESSAGE) }
    : { type, status: 'True', reason, message };
}

/** The innermost stable code, in the words of conditions: `INVALID_SERVICE` becomes `InvalidService`. */
function reasonOf(error: unknown): string {
  let code = 'SYNC_LOAD_BALANCER_FAILED';
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof CodedError && one.code !== 'SYNC' && one.code !== 'CLEANUP') code = one.code;
  }
  return code.toLowerCase().replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function isSame(one: State, other: State): boolean {
  return one.status === other.status && one.reason === other.reason && stateOf(one.message) === stateOf(other.message);
}
