import { after, describe, it } from 'node:test';
import { playInterrupted, playWhole, Stage } from './testing/crash-consistency/play.ts';
import { STORIES } from './testing/crash-consistency/stories.ts';

/** Every other time the next process ends too, soon after it has begun. */
function again(at: number, index: number): number {
  return (at + index) % 2 === 0 ? 0 : 1 + ((at * 7) % 13);
}

/** Of the moments of each story; `npm run crash-consistency` tries them all. */
const SAMPLE = 2;

describe('a controller that dies at any moment', () => {
  const stage = new Stage();
  after(() => stage.close());
  for (const [index, story] of STORIES.entries()) {
    it(`leaves nothing wrong behind: ${story.name}`, async () => {
      const cloud = await stage.cloudOf(story);
      const whole = await playWhole(cloud, story);
      // Stories begin alike: each tries other moments.
      const first = 1 + (index % Math.ceil(whole.moments / SAMPLE));
      for (let at = first; at <= whole.moments; at += Math.ceil(whole.moments / SAMPLE)) {
        await playInterrupted(cloud, story, { at, again: again(at, index) }, whole);
      }
    });
  }
});
