import { Caller } from './caller.ts';
import { interludes } from './interludes.ts';
import { knownDifferences } from './known-differences.ts';
import { readRecordings, type Recording } from './recordings.ts';
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

/** Replays every recorded case in order. @param folders further recordings of the same run, for between the own ones. */
export async function holdAgainstRecordings(...folders: string[]): Promise<ContractReport> {
  return report(await replay(readRecordings(...folders)));
}

/** Plays cases in the given order on a server of their own. */
export async function replay(recordings: readonly Recording[]): Promise<readonly Outcome[]> {
  await using world = await ContractWorld.start();
  using caller = new Caller(world.simulator.port);
  const player = new Replay(world, caller, interludes);
  bindInstallation(world.simulator.state, player.bindings);
  const outcomes: Outcome[] = [];
  for (const recording of recordings) outcomes.push(await player.play(recording));
  return outcomes;
}

/** @param known recorded cases that are known to differ, with the reason. */
export function report(
  outcomes: readonly Outcome[],
  known: Readonly<Record<string, string>> = knownDifferences,
): ContractReport {
  const names = new Set(outcomes.map(({ recording }) => recording.name));
  const equal = outcomes.filter((outcome) => !differs(outcome)).length;
  const expected = outcomes.filter((outcome) => differs(outcome) && outcome.recording.name in known).length;
  const unplayed = Object.keys(known).filter((name) => !names.has(name));
  return {
    outcomes,
    faults: [
      ...outcomes.flatMap((outcome) => faultsOf(outcome, known)),
      ...unplayed.map((name) => `${name}: is on the list of known differences, and was not replayed`),
    ],
    summary: `${outcomes.length} fixtures replayed, ${equal} equal, ${expected} known differences`,
  };
}

function differs({ differences }: Outcome): boolean {
  return differences.length > 0;
}

function faultsOf(outcome: Outcome, known: Readonly<Record<string, string>>): string[] {
  const { recording, differences, answered } = outcome;
  const at = `${recording.name} (${recording.seq})`;
  const isKnown = recording.name in known;
  if (!answered) return [`${at}: ${differences.join('; ')}`];
  if (!differs(outcome)) return isKnown ? [`${at}: is equal now, take it off the list of known differences`] : [];
  return isKnown ? [] : differences.map((difference) => `${at}: ${difference}`);
}
