import assert from 'node:assert/strict';
import { Cloud } from '../cloud.ts';
import { Crash } from '../crash.ts';
import { PLACES } from '../worlds.ts';
import { pictureOf } from './picture.ts';
import { assertPromises } from './promises.ts';
import type { Story } from './story.ts';
import { World } from './world.ts';

/** Clouds of all kinds, each started when it is first needed. */
export class Stage {
  readonly #clouds = new Map<string, Promise<Cloud>>();

  async cloudOf({ where = 'an isolated network', version = '4.22' }: Story): Promise<Cloud> {
    const place = PLACES.find((one) => one.where === where && one.version === version);
    if (!place) throw new Error(`CloudStack ${version} does not have ${where}`);
    const key = `${where} ${version}`;
    const cloud = this.#clouds.get(key) ?? Cloud.start(place.options);
    this.#clouds.set(key, cloud);
    return cloud;
  }

  async close(): Promise<void> {
    for (const cloud of this.#clouds.values()) await (await cloud).close();
  }
}

/** A story as it goes when nothing happens to the process. */
export interface Uninterrupted {
  /** Moments at which the process might have ended. */
  readonly moments: number;
  /** What there is after each step. */
  readonly pictures: readonly unknown[];
}

export async function playWhole(cloud: Cloud, story: Story): Promise<Uninterrupted> {
  const crash = new Crash(0);
  return { pictures: await play(cloud, story, crash), moments: crash.moments };
}

/**
 * Ends the process at one moment and lets another go on: after every step all must be as without the interruption.
 *
 * @param again the moment at which the other one ends as well, 0 for never; a third goes on then
 * @throws AssertionError when it is not, or when a second pass writes
 */
export async function playInterrupted(
  cloud: Cloud,
  story: Story,
  { at, again = 0 }: { readonly at: number; readonly again?: number },
  whole: Uninterrupted,
): Promise<void> {
  const crash = new Crash(at);
  const pictures = await play(cloud, story, crash, new Crash(again));
  assert.ok(crash.happened, `there is no moment ${at}`);
  assert.deepEqual(pictures, whole.pictures);
}

async function play(cloud: Cloud, story: Story, crash: Crash, next = new Crash(0)): Promise<readonly unknown[]> {
  cloud.reset();
  const world = new World(cloud, story.decorators);
  await world.addStranger();
  await story.prepare?.(world);
  world.start(crash);
  const pictures: unknown[] = [];
  for (const { change, react, recover = react } of story.steps) {
    await change(world);
    try {
      await react(world);
    } catch (thrown) {
      if (!crash.happened) throw thrown;
      await goOn(world, recover, next);
    }
    assertPromises(world);
    pictures.push(pictureOf(world));
  }
  await assertQuiet(world, story);
  return pictures;
}

/** Another process does what is left, and a third if that one ends too. */
async function goOn(world: World, recover: (world: World) => Promise<unknown>, next: Crash): Promise<void> {
  world.start(next);
  try {
    await recover(world);
  } catch (thrown) {
    if (!next.happened) throw thrown;
    world.start(new Crash(0));
    await recover(world);
  }
}

/** What was done last, once more by a new process, writes nothing. */
async function assertQuiet(world: World, { steps }: Story): Promise<void> {
  const { cloud, web, api } = world;
  world.start(new Crash(0));
  const notes = (): number => web.annotationWrites + api.annotationWrites;
  const [writes, noted] = [cloud.lastWrite, notes()];
  const last = steps.at(-1);
  await (last?.recover ?? last?.react)?.(world);
  assert.deepEqual(cloud.writesSince(writes), [], 'a second pass writes to the cloud');
  assert.equal(notes(), noted, 'a second pass writes to the Service');
}
