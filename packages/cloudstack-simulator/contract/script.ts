import type { State } from '../src/state.ts';
import type { Bindings } from './bindings.ts';
import { signed, type Caller } from './caller.ts';
import { translate } from './translation.ts';
import type { ContractWorld } from './world.ts';

/** What an unrecorded step can do: call the API, turn faults on, change the state behind the API's back. */
export class Script {
  readonly world: ContractWorld;
  readonly #caller: Caller;
  readonly #bindings: Bindings;
  #projects: ReturnType<State['projects']['snapshot']> | undefined;

  constructor(world: ContractWorld, caller: Caller, bindings: Bindings) {
    this.world = world;
    this.#caller = caller;
    this.#bindings = bindings;
  }

  get state(): State {
    return this.world.simulator.state;
  }

  /** Calls with recorded ids, and lets the job end if there is one. */
  async call(caller: string, command: string, parameters: Readonly<Record<string, string>>): Promise<void> {
    await this.callRaw(caller, command, translate(parameters, this.#bindings));
    await this.world.allJobsEnd();
  }

  /** Calls with ids of the simulator. @returns the content of the answer's envelope. */
  async callRaw(caller: string, command: string, parameters: Readonly<Record<string, string>>): Promise<Fields> {
    const { apiKey, secretKey } = this.world.keys(caller);
    const all = signed({ command, ...parameters, response: 'json', apiKey }, secretKey);
    const { text } = await this.#caller.send({ method: 'GET', path: '/client/api', parameters: all });
    const [content] = Object.values(JSON.parse(text) as Fields);
    return (content ?? {}) as Fields;
  }

  /** Makes an object of which only the id was recorded, unless a recorded call has made it. */
  async create(
    recorded: string,
    caller: string,
    command: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<void> {
    if (this.#bindings.simulated('id', recorded) !== undefined) return;
    const answer = await this.callRaw(caller, command, translate(parameters, this.#bindings));
    this.#bindings.bind('id', recorded, idIn(answer, command));
    await this.world.allJobsEnd();
  }

  /** Starts a job of which only the id was recorded. */
  async startJob(
    recorded: string,
    caller: string,
    command: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<void> {
    if (this.#bindings.simulated('id', recorded) !== undefined) return;
    const { jobid } = await this.callRaw(caller, command, translate(parameters, this.#bindings));
    this.#bindings.bind('id', recorded, String(jobid));
    await this.world.allJobsEnd();
  }

  /** Deletes rules by recorded id, where they exist. */
  async deleteRules(madeBy: string, recorded: readonly string[]): Promise<void> {
    const command = madeBy.replace('create', 'delete');
    for (const id of recorded) {
      if (this.#bindings.simulated('id', id) !== undefined) await this.call('user', command, { id });
    }
  }

  /** Gives an address back that nobody can release. */
  freeAddress(recorded: string): void {
    const { accountId: _, networkId: __, ...row } = this.state.publicIps.get(this.#simulated(recorded)) ?? {};
    if ('id' in row) this.state.publicIps.replace({ ...row, state: 'Free' });
  }

  slowJobs(ms: number): void {
    this.world.simulator.faults.add({ action: { kind: 'slow-job', ms } });
  }

  /** The router of a network answers with a failure from now on. */
  refuse(recordedNetwork: string): void {
    this.world.simulator.faults.add({ action: { kind: 'router-refuses', network: this.#simulated(recordedNetwork) } });
  }

  clearFaults(): void {
    this.world.simulator.faults.clear();
  }

  setRouter(recordedNetwork: string, state: 'Running' | 'Stopped'): void {
    const [router] = this.state.routers.by('home', this.#simulated(recordedNetwork));
    if (router) this.state.routers.update(router.id, { state });
  }

  /** The id of a VPC's source NAT address, where no recorded list has shown it. */
  bindSourceNat(recorded: string, recordedVpc: string): void {
    const ip = this.state.publicIps.find((one) => one.vpcId === this.#simulated(recordedVpc) && one.isSourceNat);
    if (ip) this.#bindings.bind('id', recorded, ip.id);
  }

  /** A machine's only secondary address, where no recorded list has shown it. */
  bindSecondaryAddress(recorded: string, recordedMachine: string): void {
    const machine = this.state.virtualMachines.get(this.#simulated(recordedMachine));
    const [secondary] = machine?.nics.flatMap((nic) => nic.secondaryIps) ?? [];
    if (secondary) this.#bindings.bind(`address of ${recordedMachine}`, recorded, secondary.address);
  }

  hideProjects(): void {
    this.#projects = this.state.projects.snapshot();
    this.state.projects.restore({ rows: [], nextInternalId: 1 });
  }

  showProjects(): void {
    if (this.#projects) this.state.projects.restore(this.#projects);
  }

  #simulated(recorded: string): string {
    return this.#bindings.simulated('id', recorded) ?? recorded;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** An object made at once is wrapped in its key; one that a job finishes is named by `id`. */
function idIn(answer: Fields, command: string): string {
  const [first] = Object.values(answer);
  const id = answer['id'] ?? (first as Fields | undefined)?.['id'];
  if (typeof id !== 'string') throw new Error(`${command} made nothing: ${JSON.stringify(answer)}`);
  return id;
}
