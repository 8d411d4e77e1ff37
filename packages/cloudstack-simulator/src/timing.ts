import { InvalidInputError } from '@cloudstack-ccm/base';
import type { Random } from './random.ts';

/** From and to, in milliseconds. */
export type Span = readonly [low: number, high: number];

/** How long things take. */
export interface Timing {
  /** Pause before an answer, by command. */
  answer(command: string): Span;
  /** Run time of a job, alone, after the answer to its command. */
  job(command: string): Span;
  /** How much longer a job takes for each further job that waits for the same network. 0 is not at all. */
  readonly hindrance: number;
  /** Milliseconds until a job that had to wait for its network is taken up. */
  readonly takeUp: number;
}

/** Nothing takes any time. */
const instant: Timing = { answer: () => [0, 0], job: () => [0, 0], hindrance: 0, takeUp: 0 };

const CREATING: Span = [65, 90];
const DELETING: Span = [30, 40];

/** From the sending of the command to the end of its job. */
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

const OTHER_JOBS: Span = [150, 250];

/**
 * Times of a 4.20 management server with simulated hypervisors on two cores. Hindrance and taking up come from 14
 * Services made in one network, 1, 2, 4, 8 and 14 at a time: 17.7, 11.7, 17.0, 21.9 and 37.2 seconds.
 */
const recorded: Timing = {
  answer: recordedAnswer,
  job: (command) => {
    const [low, high] = RECORDED_JOBS[command] ?? OTHER_JOBS;
    const answered = middle(recordedAnswer(command));
    return [low - answered, high - answered];
  },
  hindrance: 0.28,
  takeUp: 80,
};

function recordedAnswer(command: string): Span {
  if (command === 'queryAsyncJobResult') return [24, 32];
  if (/^(list|get)/.test(command)) return [20, 40];
  return /^(delete|disassociate|remove|destroy)/.test(command) ? DELETING : CREATING;
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
  return { answer: () => [0, 0], job: () => [ms, ms], hindrance: 0, takeUp: 0 };
}

export function pick([low, high]: Span, random: Random): number {
  return low + random.next() * (high - low);
}

function middle([low, high]: Span): number {
  return (low + high) / 2;
}
