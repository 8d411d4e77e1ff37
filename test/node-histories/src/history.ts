import { asError } from '@cloudstack-ccm/base';
import { Chance } from './chance.ts';
import { Controller } from './controller.ts';
import { endWell } from './ending.ts';
import type { Stage } from './happenings/happening.ts';
import { joinWithSomeId } from './happenings/joining.ts';
import { HAPPENINGS } from './happenings.ts';
import { Machines } from './machines.ts';
import { Nodes } from './nodes.ts';
import { Promises } from './promises.ts';
import { StoryTime } from './story-time.ts';

export interface Verdict {
  readonly seed: number;
  /** Undefined when everything held. */
  readonly broken: Error | undefined;
  /** What happened, one line each, and what the controller logged. */
  readonly story: readonly string[];
  readonly log: readonly string[];
  /** Nodes that the controller deleted. */
  readonly deletions: number;
}

/** Plays one history: the same seed gives the same one. */
export async function playHistory(seed: number): Promise<Verdict> {
  const chance = new Chance(seed);
  const time = new StoryTime();
  // Jitter of back-offs comes from here: without this a seed would not tell the same story twice.
  const random = Math.random;
  Math.random = chance.next;
  try {
    await using machines = await Machines.start(chance, time);
    await using nodes = await Nodes.start(chance, time);
    await using controller = new Controller({ machines, nodes, time, chance });
    return await new History(seed, { machines, nodes, controller, chance, time }).play();
  } finally {
    Math.random = random;
  }
}

class History {
  readonly #seed: number;
  readonly #stage: Stage;
  readonly #time: StoryTime;
  readonly #promises: Promises;
  readonly #story: string[] = [];

  constructor(seed: number, parts: Omit<Stage, 'pass'> & { readonly time: StoryTime }) {
    this.#seed = seed;
    this.#stage = { ...parts, pass: (ms) => this.#pass(ms) };
    this.#time = parts.time;
    this.#promises = new Promises(this.#stage);
  }

  async play(): Promise<Verdict> {
    const broken = await this.#play().then(
      () => undefined,
      (thrown: unknown) => asError(thrown),
    );
    const { lines: log } = this.#stage.controller;
    return { seed: this.#seed, broken, story: this.#story, log, deletions: this.#promises.deletions };
  }

  async #play(): Promise<void> {
    await this.#begin();
    for (let steps = this.#stage.chance.between(8, 24); steps > 0; steps--) await this.#step();
    this.#tell('all faults end');
    await endWell(this.#stage);
  }

  async #begin(): Promise<void> {
    const { chance, machines, controller } = this.#stage;
    const size = chance.between(1, chance.happens(0.3) ? 24 : 8);
    for (let index = 1; index <= size; index++) joinWithSomeId(this.#stage, machines.add(`node-${index}`));
    this.#tell(`${size} machines ${machines.projectId === undefined ? '' : 'in a project '}join`);
    await controller.start();
    await this.#pass(chance.between(0, 20_000));
  }

  async #step(): Promise<void> {
    const { chance } = this.#stage;
    const happened = await chance.weighted(HAPPENINGS).happen(this.#stage);
    if (happened !== undefined) this.#tell(happened);
    await this.#pass(chance.between(1, 16_000));
  }

  async #pass(ms: number): Promise<void> {
    // In pieces, so that what is judged is not older than what it is judged by.
    for (let left = ms; left > 0; left -= 10_000) {
      await this.#time.pass(Math.min(left, 10_000));
      this.#promises.check();
      await this.#keepRunning();
    }
  }

  /** What a kubelet does for a static pod or a Deployment. */
  async #keepRunning(): Promise<void> {
    const { controller } = this.#stage;
    if (controller.runs) return;
    this.#tell('the controller has ended and is started again');
    await controller.stop();
    await controller.start();
  }

  #tell(text: string): void {
    this.#story.push(`${(this.#time.monotonic() / 1000).toFixed(1).padStart(8)} s  ${text}`);
  }
}
