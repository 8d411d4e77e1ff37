import { messageOf, type Logger, type Scope } from '@cloudstack-ccm/base';
import {
  helpText,
  readCommandLine,
  usageText,
  validateLogging,
  validateOptions,
  versionText,
  withReportedVersion,
  type CommandLine,
} from '@cloudstack-ccm/cloud-controllers';
import { BUILD } from './build.ts';
import { FatalError } from './errors.ts';
import { openLog } from './logging.ts';
import type { Streams } from './streams.ts';
import { wire } from './wiring.ts';

/** As Go's: clean end, wrong command line or failed run, and what klog calls fatal. */
export const EXIT = { ok: 0, failed: 1, fatal: 255 } as const;

/** This program has one provider; a later flag wins over this one. */
const DEFAULT_PROVIDER = '--cloud-provider=external-cloudstack';

export interface Invocation {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly streams: Streams;
  /** Cancelled when the process is asked to end. */
  readonly stop: Scope;
  /** Width of the terminal that help is written for; 0 for none. */
  readonly columns: number;
}

/** Runs the command to its end. @returns the exit code. Nothing is thrown. */
export async function run(invocation: Invocation): Promise<number> {
  const { streams, columns } = invocation;
  let line: CommandLine;
  try {
    line = readCommandLine([DEFAULT_PROVIDER, ...invocation.args]);
  } catch (thrown) {
    streams.err(`${usageText(columns)}\nError: ${messageOf(thrown)}\n`);
    return EXIT.failed;
  }
  return await runLine(invocation, line);
}

async function runLine(invocation: Invocation, line: CommandLine): Promise<number> {
  const { streams, columns } = invocation;
  const { options, warnings } = line;
  for (const warning of warnings) streams.err(`${warning}\n`);
  if (options.global.help) {
    streams.out(helpText(columns));
    return EXIT.ok;
  }
  const version = versionText(options.global.version, BUILD);
  if (version !== undefined) {
    streams.out(`${version}\n`);
    return EXIT.ok;
  }
  const { log, verbosity } = openLog(options, streams);
  try {
    const build = withReportedVersion(options.global.version, BUILD);
    check(line);
    for (const [name, value] of line.flags) log.debug(1, `FLAG: --${name}=${JSON.stringify(value)}`);
    const manager = await wire({ options, build, log, verbosity, environment: invocation.environment });
    await manager.run(invocation.stop);
    return EXIT.ok;
  } catch (thrown) {
    return fail(thrown, streams, log);
  }
}

/** @throws for words that are no flags, and for flags that do not go together. */
function check({ positional, options }: CommandLine): void {
  const words = positional.filter((word) => word !== '');
  if (words.length > 0) {
    throw new Error(`"cloud-controller-manager" does not take any arguments, got ${JSON.stringify(words)}`);
  }
  const problem = validateLogging(options) ?? validateOptions(options);
  if (problem) throw problem;
}

/** Printed once for a person, and logged once for a collector, as component-base does. */
function fail(thrown: unknown, streams: Streams, log: Logger): number {
  if (thrown instanceof FatalError) {
    log.error(thrown.message, thrown);
    return EXIT.fatal;
  }
  streams.err(`error: ${messageOf(thrown)}\n`);
  log.error('command failed', thrown);
  return EXIT.failed;
}
