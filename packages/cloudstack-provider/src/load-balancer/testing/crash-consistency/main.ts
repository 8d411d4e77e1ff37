import { parseArgs } from 'node:util';
import { playInterrupted, playWhole, Stage } from './play.ts';
import { STORIES } from './stories.ts';
import type { Story } from './story.ts';

/** After every so many moments the process that goes on ends as well, later and later. */
const TWICE = 4;
const LATEST = 13;

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { story: text, at: text, again: text } });
const stage = new Stage();
let points = 0;
let passed = 0;
for (const [index, story] of STORIES.entries()) {
  if (values.story === undefined || Number(values.story) === index + 1) await tell(index + 1, story);
}
await stage.close();
say(`${points} kill points, ${passed} passed`);
process.exitCode = points === passed && points > 0 ? 0 : 1;

async function tell(number: number, story: Story): Promise<void> {
  const before = [points, passed] as const;
  try {
    const cloud = await stage.cloudOf(story);
    const whole = await playWhole(cloud, story);
    for (const point of values.at === undefined ? pointsOf(whole.moments) : [chosen(values.at)]) {
      points++;
      await playInterrupted(cloud, story, point, whole).then(
        () => passed++,
        (thrown: unknown) => report(number, point, thrown),
      );
    }
  } catch (thrown) {
    points++;
    report(number, undefined, thrown);
  }
  say(`${number}/${STORIES.length} ${story.name}: ${points - before[0]} kill points, ${passed - before[1]} passed`);
}

interface Point {
  readonly at: number;
  readonly again: number;
}

function chosen(at: string): Point {
  return { at: Number(at), again: Number(values.again ?? 0) };
}

/** Each moment alone, and some with another after it. */
function pointsOf(moments: number): readonly Point[] {
  const once = Array.from({ length: moments }, (_, index) => ({ at: index + 1, again: 0 }));
  const twice = once
    .filter((_, index) => index % TWICE === 0)
    .map(({ at }) => ({ at, again: 1 + ((at * 7) % LATEST) }));
  return [...once, ...twice];
}

function report(number: number, point: Point | undefined, thrown: unknown): void {
  const where = point ? ` --at=${point.at}${point.again > 0 ? ` --again=${point.again}` : ''}` : '';
  say(`Failed: npm run crash-consistency -- --story=${number}${where}`);
  say(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
