import { asError, CancelledError, type KeyedLock, type Logger, type Scope } from '@cloudstack-ccm/base';
import { UnauthorizedError, WriteFencedError, type Commands, type PublicIp } from '@cloudstack-ccm/cloudstack-client';
import { describe, isOptional, type Action, type Ref } from '../plan/actions.ts';
import { ActionError, LookCloserError } from '../errors.ts';
import { find, perform, type Made } from './perform.ts';
import type { NetworkQueue, Turn } from './network-queue.ts';
import type { Step } from '../plan/step.ts';

export interface ExecutorOptions {
  readonly client: Commands;
  /** Network ACL commands have no queue in CloudStack: one at a time for each list. */
  readonly aclLocks: KeyedLock;
  readonly networkQueue: NetworkQueue;
  /** Told of each action that ended, with the id of the load balancer rule that it was about, if it was about one. */
  readonly observe?: (action: Action, result: 'done' | 'failed', ruleId: string | undefined) => void;
}

/** What came of a plan. */
export interface Execution {
  /** One for each step that failed; empty when all is as planned. */
  readonly errors: readonly ActionError[];
  /** The address that was associated, if one was. */
  readonly associated: PublicIp | undefined;
  /** The id of an object of the plan; undefined when it was not made. */
  idOf(object: Ref): string | undefined;
}

/**
 * Carries out plans. It knows nothing of Services: it runs actions in order, waits for their jobs, and when one fails
 * leaves out what hangs on it, but nothing else.
 */
export class Executor {
  readonly #options: ExecutorOptions;

  constructor(options: ExecutorOptions) {
    this.#options = options;
  }

  /**
   * @param networkId the network in whose queue the jobs are; undefined when it is not known
   * @throws what ends all work: cancellation, lost leadership, refused credentials.
   */
  async execute(scope: Scope, log: Logger, steps: readonly Step[], networkId?: string): Promise<Execution> {
    const run = new Run(scope, log, this.#options, networkId);
    for (const step of steps) {
      if (step.aside) run.beside(step, step.aside);
      else await run.next(step);
    }
    await run.end();
    return run;
  }
}

/** Steps beside the others, one after another. */
interface Lane {
  /** The latest step is accepted by CloudStack, or has ended. */
  readonly accepted: Promise<void>;
  readonly done: Promise<void>;
}

/** The state of one execution. */
class Run implements Execution {
  readonly errors: ActionError[] = [];
  readonly #scope: Scope;
  readonly #log: Logger;
  readonly #options: ExecutorOptions;
  readonly #networkId: string | undefined;
  readonly #broken = new Set<string>();
  readonly #lanes = new Map<string, Lane>();
  /** By chain: the rule that is being made. Its openings need not wait for that, its members do. */
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #made: Made = { ids: new Map(), associated: undefined, accepted: new Map() };
  #fatal: Error | undefined;

  constructor(scope: Scope, log: Logger, options: ExecutorOptions, networkId: string | undefined) {
    this.#scope = scope;
    this.#log = log;
    this.#options = options;
    this.#networkId = networkId;
  }

  get associated(): PublicIp | undefined {
    return this.#made.associated;
  }

  idOf(object: Ref): string | undefined {
    return find(object, this.#made);
  }

  #isOut(step: Step): boolean {
    if (this.#fatal) return true;
    return [step.chain, ...(step.needs ?? [])].some((chain) => this.#broken.has(chain)) || this.#isTooLate(step);
  }

  #isTooLate(step: Step): boolean {
    return step.last === true && this.errors.length > 0;
  }

  /** Carries out a step, unless what it hangs on has failed. */
  async next(step: Step): Promise<void> {
    if (step.last || step.needs?.length) await this.#settle();
    await this.#underWay.get(step.chain);
    if (step.action.kind === 'create-rule') await this.#start(step, step.action.name);
    else await this.#carryOut(step);
  }

  /** Waits until CloudStack has accepted what the step makes, or the step has ended. */
  async #start(step: Step, name: string): Promise<void> {
    const acceptance = Promise.withResolvers<void>();
    this.#made.accepted.set(name, acceptance.resolve);
    this.#underWay.set(step.chain, this.#carryOut(step).then(acceptance.resolve));
    await acceptance.promise;
  }

  async #carryOut(step: Step): Promise<void> {
    if (this.#isOut(step)) return;
    try {
      await this.#perform(step.action);
      this.#observe(step.action, 'done');
    } catch (thrown) {
      this.#observe(step.action, 'failed');
      this.#fail(step, asError(thrown));
    }
  }

  #observe(action: Action, result: 'done' | 'failed'): void {
    const rule = ruleOf(action);
    this.#options.observe?.(action, result, rule && find(rule, this.#made));
  }

  /** Starts a step that the next ones do not wait for. */
  beside(step: Step, lane: string): void {
    const before = this.#lanes.get(lane) ?? { accepted: Promise.resolve(), done: Promise.resolve() };
    const acceptance = Promise.withResolvers<void>();
    if (step.action.kind === 'create-firewall-rule') this.#made.accepted.set(step.action.key, acceptance.resolve);
    const work = async (): Promise<void> => {
      await (step.eager ? before.accepted : before.done);
      await this.#carryOut(step);
      acceptance.resolve();
    };
    const done = Promise.all([before.done, work()]).then(() => undefined);
    this.#lanes.set(lane, { accepted: acceptance.promise, done });
  }

  /** Waits for what runs beside. @throws the error that ended all work, if one did. */
  async end(): Promise<void> {
    await this.#settle();
    if (this.#fatal) throw this.#fatal;
  }

  async #settle(): Promise<void> {
    await Promise.all([...this.#underWay.values(), ...[...this.#lanes.values()].map(({ done }) => done)]);
  }

  #perform(action: Action): Promise<void> {
    this.#log.debug(2, 'Changing CloudStack', { action: describe(action) });
    const { client, aclLocks, networkQueue } = this.#options;
    const scope = this.#scope;
    const work = (turn?: Turn): Promise<void> => perform({ scope, client, turn }, action, this.#made);
    if ('aclId' in action) return aclLocks.run(scope, action.aclId, work);
    const queued = this.#networkId !== undefined && action.kind !== 'add-tags' && action.kind !== 'remove-tags';
    return queued ? networkQueue.run(scope, this.#networkId, work) : work();
  }

  #fail(step: Step, error: Error): void {
    if (this.#scope.cancelled || isFatal(error, step.action)) {
      this.#fatal ??= this.#scope.reason ?? error;
      return;
    }
    this.#broken.add(step.chain);
    this.errors.push(new ActionError(step.action, error));
  }
}

/** After these no other action can succeed. An old CloudStack also says 401 for what our role may not do. */
function isFatal(error: Error, action: Action): boolean {
  if (error instanceof UnauthorizedError) return !isOptional(action);
  return [CancelledError, WriteFencedError, LookCloserError].some((kind) => error instanceof kind);
}

function ruleOf(action: Action): Ref | undefined {
  if (action.kind === 'create-rule') return { planned: action.name };
  if (action.kind === 'update-rule' || action.kind === 'delete-rule') return { id: action.id };
  return 'rule' in action ? action.rule : undefined;
}
