import { FakeClock } from '@cloudstack-ccm/base';
import type { World } from '../src/scene/world.ts';
import { startSimulator, type Simulator } from '../src/simulator.ts';
import { fixedJobTiming } from '../src/timing.ts';
import type { Keys } from './caller.ts';
import { accountOf, contractScene, RECORDED_START } from './scene.ts';

interface ContractOptions {
  /** Default: the installation of the recordings. */
  readonly scene?: (world: World) => void;
  /** How long a job takes when nothing slows it. Default 100: less than the pause between two cases. */
  readonly jobMs?: number;
}

/** A simulator in the recorded installation, with a clock that moves only when told to. */
export class ContractWorld implements AsyncDisposable {
  readonly simulator: Simulator;
  readonly #clock: FakeClock;

  private constructor(simulator: Simulator, clock: FakeClock) {
    this.simulator = simulator;
    this.#clock = clock;
  }

  static async start({ scene = contractScene, jobMs = 100 }: ContractOptions = {}): Promise<ContractWorld> {
    const clock = new FakeClock(RECORDED_START);
    const timing = fixedJobTiming(jobMs);
    const options = { version: '4.20', versionText: '4.20.0.0-SNAPSHOT', timing, clock, scene };
    return new ContractWorld(await startSimulator(options), clock);
  }

  /** @throws if the caller's account has no keys. */
  keys(caller: string): Keys {
    const { accounts, users } = this.simulator.state;
    const account = accounts.find(({ name }) => name === accountOf(caller));
    const [user] = account ? users.by('accountId', account.id) : [];
    if (!user?.apiKey || !user.secretKey) throw new Error(`The scene has no keys for ${caller}`);
    return { apiKey: user.apiKey, secretKey: user.secretKey };
  }

  /** Lets time pass, in milliseconds. */
  pass(ms: number): Promise<void> {
    return this.#clock.advance(ms);
  }

  /** Lets as much time pass as the job needs to end. */
  async jobEnds(id: string): Promise<void> {
    const pending = (): boolean => this.simulator.state.jobs.get(id)?.status === 'pending';
    for (let waited = 0; pending() && waited < 120_000; waited += 250) await this.pass(250);
  }

  async allJobsEnd(): Promise<void> {
    for (let waited = 0; this.simulator.jobs.pending > 0 && waited < 120_000; waited += 250) await this.pass(250);
  }

  /** The management server ends and starts again. */
  restart(): void {
    this.simulator.restart();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.simulator.close();
  }
}
