import type { Random } from './random.ts';
import type { Router } from './entities/network.ts';
import type { PageChange } from './page-change.ts';
import { pick, type Span } from './timing.ts';

/** What goes wrong. Times are in milliseconds. */
export type FaultAction =
  /** The answer comes later. */
  | { readonly kind: 'latency'; readonly ms: number | Span }
  /** An answer that does not come from CloudStack: a proxy's error page, a plain text. Nothing is carried out. */
  | { readonly kind: 'http'; readonly status: number; readonly body?: string; readonly contentType?: string }
  /** An error of the API. Nothing is carried out. */
  | { readonly kind: 'api-error'; readonly code: number; readonly text: string; readonly reason?: number }
  /** The rate limit, whatever the settings say. */
  | { readonly kind: 'rate-limit'; readonly retryMs: number }
  /** Whatever would change something fails inside; what only reads works. */
  | { readonly kind: 'read-only' }
  /** The connection is reset before anything is carried out. */
  | { readonly kind: 'reset' }
  /** No answer at all, and nothing is carried out. */
  | { readonly kind: 'hang' }
  /** The call is carried out, then the connection is reset. */
  | { readonly kind: 'lost-answer' }
  /** The call is carried out; the answer ends in the middle. */
  | { readonly kind: 'cut-body' }
  /** The call is carried out; the answer is not JSON. */
  | { readonly kind: 'invalid-body' }
  /** The call is carried out; the answer has no body. */
  | { readonly kind: 'empty-body' }
  /** The list changes between two of its pages, after a pause of `ms`. Only pages after the first are struck. */
  | PageChangeFault
  /** The job fails: before it did anything, or afterwards, when it has done it all. */
  | JobFails
  /** The job does not end. What waits behind it waits until the server cancels it, an hour later by default. */
  | { readonly kind: 'job-hangs' }
  /** The management server ends in the middle of the job: what it has done stays. */
  | { readonly kind: 'job-interrupted' }
  /** The job takes longer. */
  | { readonly kind: 'slow-job'; readonly ms: number }
  /** The virtual router answers with a failure. */
  | { readonly kind: 'router-refuses'; readonly network?: string };

interface PageChangeFault extends PageChange {
  readonly kind: 'list-changes';
  readonly ms?: number | Span;
}

interface JobFails {
  readonly kind: 'job-fails';
  readonly code: number;
  readonly text: string;
  readonly afterwards?: boolean;
}

/** When something goes wrong, and what. Without a limit it goes wrong every time. */
export interface FaultRule {
  /** A command's name; `*` stands for any letters. Absent: every command. */
  readonly command?: string;
  /** Name of the caller's account. */
  readonly account?: string;
  /** Lets this many matching calls pass first. */
  readonly skip?: number;
  /** Ends after this many. */
  readonly count?: number;
  /** Chance between 0 and 1 for each matching call. Default 1. */
  readonly probability?: number;
  readonly action: FaultAction;
}

export interface ActiveFault extends FaultRule {
  readonly id: number;
  /** Times it has struck. */
  readonly hits: number;
}

type JobFault = Extract<FaultAction, { kind: 'job-fails' | 'job-hangs' | 'job-interrupted' }>;
type RequestFault = Exclude<
  FaultAction,
  JobFault | { kind: 'latency' | 'list-changes' | 'slow-job' | 'router-refuses' }
>;

interface Entry {
  readonly rule: FaultRule;
  seen: number;
  hits: number;
}

/** The rules in force. Each call is held against them in the order they were added. */
export class Faults {
  readonly #random: Random;
  readonly #entries = new Map<number, Entry>();
  #nextId = 1;

  constructor(random: Random) {
    this.#random = random;
  }

  /** @returns the id to remove it by. */
  add(rule: FaultRule): number {
    const id = this.#nextId++;
    this.#entries.set(id, { rule, seen: 0, hits: 0 });
    return id;
  }

  remove(id: number): void {
    this.#entries.delete(id);
  }

  clear(): void {
    this.#entries.clear();
  }

  list(): readonly ActiveFault[] {
    return [...this.#entries].map(([id, { rule, hits }]) => ({ id, hits, ...rule }));
  }

  /** Sum of all pauses that befall a call. */
  latency(command: string, account: string | undefined): number {
    let total = 0;
    for (const action of this.#strike(command, account, isLatency)) {
      total += this.#length(action.ms);
    }
    return total;
  }

  /** What becomes of a list between the page before and this one. */
  betweenPages(
    command: string,
    account: string | undefined,
  ): { readonly ms: number; readonly change: PageChange } | undefined {
    const action = this.#strike(command, account, isListChange).next().value;
    return action && { ms: this.#length(action.ms ?? 0), change: action };
  }

  /** What befalls a call itself; the first rule that strikes. */
  forRequest(command: string, account: string | undefined): RequestFault | undefined {
    return this.#strike(command, account, isRequestFault).next().value;
  }

  forJob(command: string, account: string): JobFault | undefined {
    return this.#strike(command, account, isJobFault).next().value;
  }

  extraJobTime({ command, account }: { readonly command: string; readonly account: string }): number {
    let total = 0;
    for (const action of this.#strike(command, account, isSlowJob)) total += action.ms;
    return total;
  }

  refuses(router: Router, command: string): boolean {
    const home = router.networkId ?? router.vpcId;
    const matches = (action: FaultAction): action is Extract<FaultAction, { kind: 'router-refuses' }> =>
      action.kind === 'router-refuses' && (action.network === undefined || action.network === home);
    return this.#strike(command, undefined, matches).next().done !== true;
  }

  *#strike<A extends FaultAction>(
    command: string,
    account: string | undefined,
    wanted: (action: FaultAction) => action is A,
  ): Generator<A, undefined> {
    for (const entry of this.#entries.values()) {
      const { action } = entry.rule;
      if (wanted(action) && matches(entry.rule, command, account) && this.#strikes(entry)) yield action;
    }
    return undefined;
  }

  #strikes(entry: Entry): boolean {
    const { skip = 0, count = Infinity, probability = 1 } = entry.rule;
    if (entry.seen++ < skip || entry.hits >= count) return false;
    if (probability < 1 && this.#random.next() >= probability) return false;
    entry.hits++;
    return true;
  }

  #length(ms: number | Span): number {
    return typeof ms === 'number' ? ms : pick(ms, this.#random);
  }
}

function matches(rule: FaultRule, command: string, account: string | undefined): boolean {
  if (rule.account !== undefined && account !== undefined && rule.account !== account) return false;
  return rule.command === undefined || matchesPattern(rule.command, command);
}

/** `*` stands for any letters. */
export function matchesPattern(pattern: string, name: string): boolean {
  const expression = pattern
    .split('*')
    .map((part) => part.replace(/[^\w]/g, String.raw`\$&`))
    .join('.*');
  return new RegExp(`^${expression}$`).test(name);
}

function isLatency(action: FaultAction): action is Extract<FaultAction, { kind: 'latency' }> {
  return action.kind === 'latency';
}

function isListChange(action: FaultAction): action is Extract<FaultAction, { kind: 'list-changes' }> {
  return action.kind === 'list-changes';
}

function isSlowJob(action: FaultAction): action is Extract<FaultAction, { kind: 'slow-job' }> {
  return action.kind === 'slow-job';
}

function isJobFault(action: FaultAction): action is JobFault {
  return action.kind === 'job-fails' || action.kind === 'job-hangs' || action.kind === 'job-interrupted';
}

function isRequestFault(action: FaultAction): action is RequestFault {
  if (isJobFault(action) || isLatency(action) || isListChange(action) || isSlowJob(action)) return false;
  return action.kind !== 'router-refuses';
}
