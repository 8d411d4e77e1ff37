import { parseArgs } from 'node:util';
import { playHistory, type Verdict } from './history.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
});
const count = Number(values.count);
const first = Number(values.seed);

let passed = 0;
let deletions = 0;
for (let seed = first; seed < first + count; seed++) {
  const verdict = await playHistory(seed);
  deletions += verdict.deletions;
  if (verdict.broken) report(verdict);
  else passed++;
  if ((seed - first + 1) % 250 === 0) say(`${seed - first + 1} of ${count}`);
}
say(`${deletions} nodes of dead machines were deleted`);
say(`${count} histories, ${passed} passed`);
process.exitCode = passed === count ? 0 : 1;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function report({ seed, broken, story, log }: Verdict): void {
  say(`History ${seed} failed: ${broken?.message}`);
  say(`Play it again with: npm run node-histories -- --seed=${seed} --count=1`);
  if (count > 1) return;
  say([...story, '', ...log, broken?.stack].join('\n'));
}
