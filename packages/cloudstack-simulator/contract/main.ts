import { holdAgainstRecordings } from './contract.ts';
import { knownDifferences } from './known-differences.ts';

/** `npm run contract [-- FOLDER…]`: the recordings of this project, with those in further folders, against the simulator. */
const { faults, summary } = await holdAgainstRecordings(...process.argv.slice(2));
const print = (line: string): void => void process.stdout.write(`${line}\n`);
for (const [name, reason] of Object.entries(knownDifferences)) print(`known: ${name}: ${reason}`);
for (const fault of faults) print(fault);
print(summary);
if (faults.length > 0) process.exitCode = 1;
