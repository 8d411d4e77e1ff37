import { InvalidInputError } from '@cloudstack-ccm/base';
import type { Random } from './random.ts';

/** From and to, in milliseconds. */
export type Span = readonly [low: number, high: number];

/** How long things take. */
export interface Timing {
  /** Pause before an answer, by command. */
  answer(command: string): Span;
  /** Run time of a job, alone. */
  job(command: string): Span;
  /** How much longer a job takes for each further job that waits for the same network. 0 is not at all. */
  readonly hindrance: number;
}

/** Nothing takes any time. */
const instant: Timing = { answer: () => [0, 0], job: () => [0, 0], hindrance: 0 };

const RECORDED_JOBS: Readonly<Record<string, Span>> = {
  associateIpAddress: [190, 210],
  createLoadBalancerRule: [130, 180],
  assignToLoadBalancerRule: [290, 370],
  removeFromLoadBalancerRule: [290, 370],
  updateLoadBalancerRule: [220, 240],
  createFirewallRule: [150, 210],
  createTags: [120, 140],
  deleteTags: [120, 140],
};

/**
 * Times of a 4.20 management server with simulated hypervisors on two cores. The hindrance comes from 14 services made
 * in one network, 1, 2, 4, 8 and 14 at a time: 17.7, 11.7, 17.0, 21.9 and 37.2 seconds.
 */
const recorded: Timing = {
  answer: recordedAnswer,
  job: (command) => RECORDED_JOBS[command] ?? [150, 250],
  hindrance: 0.17,
};

function recordedAnswer(command: string): Span {
  if (command === 'queryAsyncJobResult') return [24, 32];
  if (/^(list|get)/.test(command)) return [20, 40];
  return /^(delete|disassociate|remove|destroy)/.test(command) ? [30, 40] : [65, 90];
}

export type TimingName = 'instant' | 'recorded';

/** @throws InvalidInputError for an unknown name. */
export function timingByName(name: string): Timing {
  if (name === 'instant') return instant;
  if (name === 'recorded') return recorded;
  throw new InvalidInputError(`There is no timing profile ${name}. Take instant or recorded.`);
}

/** Every job takes `ms` milliseconds, answers come at once. */
export function fixedJobTiming(ms: number): Timing {
  return { answer: () => [0, 0], job: () => [ms, ms], hindrance: 0 };
}

export function pick([low, high]: Span, random: Random): number {
  return low + random.next() * (high - low);
}
