import { parseArgs } from 'node:util';
import { playInterrupted, playWhole, Stage } from './play.ts';
import { STORIES } from './stories.ts';
import type { Story } from './story.ts';

const { values } = parseArgs({ options: { story: { type: 'string' }, at: { type: 'string' } } });
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
    const moments = Array.from({ length: whole.moments }, (_, index) => index + 1);
    for (const at of values.at === undefined ? moments : [Number(values.at)]) {
      points++;
      await playInterrupted(cloud, story, at, whole).then(
        () => passed++,
        (thrown: unknown) => report(number, at, thrown),
      );
    }
  } catch (thrown) {
    points++;
    report(number, 0, thrown);
  }
  say(`${number}/${STORIES.length} ${story.name}: ${points - before[0]} kill points, ${passed - before[1]} passed`);
}

function report(number: number, at: number, thrown: unknown): void {
  say(`Failed: npm run crash-consistency -- --story=${number}${at > 0 ? ` --at=${at}` : ''}`);
  say(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
