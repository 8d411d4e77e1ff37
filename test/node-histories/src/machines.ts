import {
  startSimulator,
  type Simulator,
  versionProfiles,
  type World as Scene,
} from '@cloudstack-ccm/cloudstack-simulator';
import type { Chance } from './chance.ts';
import type { StoryTime } from './story-time.ts';

/** A machine of the cluster as it really is, whatever the API may say of it. */
export interface Machine {
  readonly id: string;
  /** In the case in which it was made. */
  readonly name: string;
}

type MachineState = 'Starting' | 'Running' | 'Stopping' | 'Stopped' | 'Destroyed' | 'Expunging' | 'Migrating';

export const TENANT = 'tenant';
export const STRANGER = 'stranger';
const ELSEWHERE = 'elsewhere';
const PROJECT = 'cluster';

/** The cloud of one history, and the truth about its machines. */
export class Machines implements AsyncDisposable {
  readonly simulator: Simulator;
  readonly projectId: string | undefined;
  readonly #scene: Scene;
  readonly #time: StoryTime;
  /** When each machine was last known dead, and last known stopped. */
  readonly #lastDead = new Map<string, number>();
  readonly #lastStopped = new Map<string, number>();
  readonly #all = new Map<string, Machine>();
  #keysBack: (() => void) | undefined;
  #moved = false;
  #liedAt = 0;

  private constructor(simulator: Simulator, scene: Scene, time: StoryTime, projectId: string | undefined) {
    this.simulator = simulator;
    this.#scene = scene;
    this.#time = time;
    this.projectId = projectId;
  }

  static async start(chance: Chance, time: StoryTime): Promise<Machines> {
    const inProject = chance.happens(0.4);
    let scene: Scene | undefined;
    let projectId: string | undefined;
    const profile = chance.pick(versionProfiles);
    const simulator = await startSimulator({
      seed: chance.between(1, 1_000_000),
      clock: time,
      ...(profile && { version: profile.name }),
      scene: (world) => {
        scene = world;
        projectId = furnish(world, inProject);
      },
    });
    if (!scene) throw new Error('the simulator built no scene');
    simulator.conditions.configure({
      defaultPageSize: chance.happens(0.3) ? 1 : (chance.pick([2, 5, 500]) ?? 500),
      allowUserViewDestroyedVm: chance.happens(0.3),
      // The clean-up thread is a step of the history, not of the clock.
      expungeDelaySeconds: 10_000_000,
    });
    return new Machines(simulator, scene, time, projectId);
  }

  get all(): readonly Machine[] {
    return [...this.#all.values()];
  }

  get living(): readonly Machine[] {
    return this.all.filter(({ id }) => !this.isDead(id));
  }

  add(name: string): Machine {
    const machine = { id: this.#deploy(name), name };
    this.#all.set(machine.id, machine);
    return machine;
  }

  /** A machine that comes and goes in the same account and belongs to no node. */
  addPasserBy(name: string): void {
    this.#deploy(name);
  }

  removePasserBy(): void {
    const { virtualMachines } = this.simulator.state;
    const passer = virtualMachines.find(({ id, removed }) => removed === undefined && !this.#all.has(id));
    if (passer) virtualMachines.update(passer.id, { state: 'Expunging', removed: this.#time.now() });
  }

  state(id: string): string {
    return this.#row(id)?.state ?? 'Expunging';
  }

  setState(id: string, state: MachineState): void {
    this.#note(id);
    this.simulator.state.virtualMachines.update(id, { state, lastUpdated: this.#time.now() });
    this.#note(id);
  }

  rename(id: string, name: string): void {
    this.simulator.state.virtualMachines.update(id, { name });
  }

  destroy(id: string): void {
    this.simulator.state.virtualMachines.update(id, { state: 'Destroyed', destroyed: this.#time.now() });
    this.#note(id);
  }

  expunge(id: string): void {
    this.simulator.state.virtualMachines.update(id, { state: 'Expunging', removed: this.#time.now() });
    this.#note(id);
  }

  /** Brings a destroyed machine back, stopped. */
  recover(id: string): void {
    this.#note(id);
    const row = this.#row(id);
    if (!row) return;
    const { destroyed: _, ...rest } = row;
    this.simulator.state.virtualMachines.replace({ ...rest, state: 'Stopped' });
    this.#note(id);
  }

  isDead(id: string): boolean {
    const row = this.#row(id);
    return row === undefined || row.removed !== undefined || row.state === 'Destroyed' || row.state === 'Expunging';
  }

  /** True if it is dead, or was a minute ago: a decision may be older than what it is judged by. */
  wasDeadLately(id: string): boolean {
    return this.isDead(id) || this.#isLate(this.#lastDead.get(id));
  }

  wasStoppedLately(id: string): boolean {
    return this.state(id) === 'Stopped' || this.#isLate(this.#lastStopped.get(id));
  }

  /** The tenant's keys are unknown from now on. */
  revokeKeys(): string {
    this.restoreKeys();
    this.#keysBack = this.simulator.conditions.revokeKeys(TENANT);
    return "the tenant's keys are revoked";
  }

  /** The tenant's keys belong to another account from now on. */
  moveKeys(): string {
    this.restoreKeys();
    this.#keysBack = this.simulator.conditions.moveKeys(TENANT, STRANGER);
    this.#moved = true;
    return "the tenant's keys are another account's";
  }

  /** Lets machines belong to another account. @returns what brings them back */
  hide(ids: readonly string[]): () => void {
    const { virtualMachines, accounts } = this.simulator.state;
    const elsewhere = accounts.find(({ name }) => name === ELSEWHERE)?.id ?? '';
    const owners = ids.map((id) => [id, this.#row(id)?.accountId ?? elsewhere] as const);
    for (const id of ids) virtualMachines.update(id, { accountId: elsewhere });
    return () => {
      for (const [id, accountId] of owners) virtualMachines.update(id, { accountId });
    };
  }

  /**
   * A cloud that lies about one machine and tells the truth about another, twice in a row, can not be told from one
   * that has lost a machine. So it may lie for some calls only now and then.
   */
  mayLieOnce(): boolean {
    if (this.#time.now() - this.#liedAt < 60_000) return false;
    this.#liedAt = this.#time.now();
    return true;
  }

  restoreKeys(): void {
    this.#keysBack?.();
    this.#keysBack = undefined;
    this.#moved = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.simulator.close();
  }

  /** The scene deploys in the name of the account's user, who must be there for it. */
  #deploy(name: string): string {
    const moved = this.#moved;
    if (moved) this.restoreKeys();
    const owner = this.projectId === undefined ? TENANT : PROJECT;
    const { id } = this.#scene.virtualMachine({ name, owner, networks: ['net'] });
    if (moved) this.moveKeys();
    return id;
  }

  #isLate(at: number | undefined): boolean {
    return at !== undefined && this.#time.now() - at < 60_000;
  }

  #note(id: string): void {
    if (this.isDead(id)) this.#lastDead.set(id, this.#time.now());
    if (this.state(id) === 'Stopped') this.#lastStopped.set(id, this.#time.now());
  }

  #row(id: string) {
    return this.simulator.state.virtualMachines.get(id);
  }
}

function furnish(scene: Scene, inProject: boolean): string | undefined {
  scene.account({ name: TENANT });
  for (const name of [STRANGER, ELSEWHERE]) scene.account({ name });
  scene.zone({ name: 'zone' });
  const project = inProject ? scene.project({ name: PROJECT, owner: TENANT }) : undefined;
  const owner = project ? PROJECT : TENANT;
  scene.network({ name: 'net', owner, cidr: '10.1.0.0/16' });
  scene.network({ name: 'net-stranger', owner: STRANGER, cidr: '10.2.0.0/24' });
  scene.virtualMachine({ name: 'somebody-else', owner: STRANGER, networks: ['net-stranger'] });
  return project?.id;
}
