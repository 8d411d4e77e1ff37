import { Caller } from './caller.ts';
import { interludes } from './interludes.ts';
import { knownDifferences } from './known-differences.ts';
import { readRecordings } from './recordings.ts';
import { Replay, type Outcome } from './replay.ts';
import { bindInstallation } from './scene.ts';
import { ContractWorld } from './world.ts';

/** What came of holding the simulator against all recordings. */
export interface ContractReport {
  readonly outcomes: readonly Outcome[];
  /** What makes the run fail, each with the case it is about. */
  readonly faults: readonly string[];
  /** `<n> fixtures replayed, <n> equal, <n> known differences` */
  readonly summary: string;
}

/** Replays every recorded case in order. @param folder other recordings than the project's own. */
export async function holdAgainstRecordings(folder?: string): Promise<ContractReport> {
  await using world = await ContractWorld.start();
  using caller = new Caller(world.simulator.port);
  const replay = new Replay(world, caller, interludes);
  bindInstallation(world.simulator.state, replay.bindings);
  const outcomes: Outcome[] = [];
  for (const recording of readRecordings(folder)) outcomes.push(await replay.play(recording));
  return report(outcomes);
}

function report(outcomes: readonly Outcome[]): ContractReport {
  const equal = outcomes.filter(({ differences }) => differences.length === 0).length;
  const known = outcomes.filter((outcome) => differs(outcome) && outcome.recording.name in knownDifferences).length;
  return {
    outcomes,
    faults: outcomes.flatMap(faultsOf),
    summary: `${outcomes.length} fixtures replayed, ${equal} equal, ${known} known differences`,
  };
}

function differs({ differences }: Outcome): boolean {
  return differences.length > 0;
}

function faultsOf(outcome: Outcome): string[] {
  const { recording, differences, answered } = outcome;
  const at = `${recording.name} (${recording.seq})`;
  const isKnown = recording.name in knownDifferences;
  if (!answered) return [`${at}: ${differences.join('; ')}`];
  if (!differs(outcome)) return isKnown ? [`${at}: is equal now, take it off the list of known differences`] : [];
  return isKnown ? [] : differences.map((difference) => `${at}: ${difference}`);
}
