import { createMetrics, InvalidInputError, messageOf, type Logger, type Scope } from '@cloudstack-ccm/base';
import {
  helpText,
  Manager,
  ManagerError,
  readCommandLine,
  usageText,
  validateLogging,
  validateOptions,
  versionText,
  withReportedVersion,
  type BuildInfo,
  type CommandLine,
} from '@cloudstack-ccm/cloud-controllers';

import { mainClient, reviewers } from './clients.ts';
import { openCloud } from './cloud.ts';
import { CloudError } from './errors.ts';
import { cloudStackFlags, EXTRA_FLAGS } from './flags.ts';
import { openLog } from './logging.ts';

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Width of the terminal; 0 for none. */
  readonly columns: number;
  readonly build: BuildInfo;
  /** Cancelled when the process is asked to end. */
  readonly stop: Scope;
}

/** As the entry point of the Go image does: a manifest need not name the provider. */
const DEFAULT_FLAGS = ['--cloud-provider=external-cloudstack'];

/** What klog's Fatal ends a process with. */
const FATAL = 255;

/** Runs the program to its end. Never rejects. @returns the exit code. */
export async function run(args: readonly string[], around: Surroundings): Promise<number> {
  const commandLine = parse(args, around);
  if (!commandLine) return 1;
  if (commandLine.options.global.help) {
    around.stdout(helpText(around.columns, EXTRA_FLAGS));
    return 0;
  }
  return await runParsed(commandLine, around);
}

function parse(args: readonly string[], { stderr, columns }: Surroundings): CommandLine | undefined {
  try {
    const commandLine = readCommandLine([...DEFAULT_FLAGS, ...args], EXTRA_FLAGS);
    for (const warning of commandLine.warnings) stderr(`${warning}\n`);
    checkPositional(commandLine.positional);
    return commandLine;
  } catch (thrown) {
    stderr(`${usageText(columns, EXTRA_FLAGS)}\nError: ${messageOf(thrown)}\n`);
    return undefined;
  }
}

function checkPositional(positional: readonly string[]): void {
  const given = positional.filter((word) => word !== '');
  if (given.length === 0) return;
  const words = given.map((word) => JSON.stringify(word)).join(' ');
  throw new InvalidInputError(`"cloud-controller-manager" does not take any arguments, got [${words}]`);
}

async function runParsed(commandLine: CommandLine, around: Surroundings): Promise<number> {
  const { options } = commandLine;
  const verbosity = { level: options.global.verbosity };
  const log = openLog(options, verbosity, around.stdout, around.stderr);
  try {
    const text = versionText(options.global.version, around.build);
    if (text !== undefined) {
      around.stdout(`${text}\n`);
      return 0;
    }
    const build = withReportedVersion(options.global.version, around.build);
    check(commandLine, log);
    await manage(commandLine, { ...around, build, log, verbosity });
    return 0;
  } catch (thrown) {
    return fail(thrown, log, around);
  }
}

function check(commandLine: CommandLine, log: Logger): void {
  const problem = validateLogging(commandLine.options);
  if (problem) throw problem;
  for (const [name, value] of commandLine.flags) log.debug(1, `FLAG: --${name}=${JSON.stringify(value)}`);
  for (const line of commandLine.withoutEffect) log.warn(line);
  const wrong = validateOptions(commandLine.options) ?? validateExtra(commandLine);
  if (wrong) throw wrong;
}

function validateExtra(commandLine: CommandLine): Error | undefined {
  const { accessRules, servicesPerNetwork } = commandLine.values(cloudStackFlags);
  if (servicesPerNetwork < 1)
    return new InvalidInputError('--concurrent-services-per-network must be a positive number');
  if (accessRules === 'all' || accessRules === 'none') return undefined;
  return new InvalidInputError(`--access-rules must be "all" or "none", not ${JSON.stringify(accessRules)}`);
}

type Opened = Surroundings & { readonly log: Logger; readonly verbosity: { level: number } };

/** Wires everything and works until the process is asked to end. */
async function manage(commandLine: CommandLine, opened: Opened): Promise<void> {
  const { env, build, log, verbosity, stop } = opened;
  const { options } = commandLine;
  const metrics = createMetrics();
  const given = { options, build, env, log, metrics };
  const client = await mainClient(given);
  const mayWrite = (): boolean => manager.mayWrite();
  const cloud = await openCloud({ commandLine, env, client, mayWrite, log, metrics });
  const shared = { options, build, cloud, client, log, verbosity, metrics };
  const manager: Manager = new Manager({ ...shared, reviewers: await reviewers(given) });
  await manager.run(stop);
  await cloud.close();
}

function fail(thrown: unknown, log: Logger, { stderr }: Surroundings): number {
  const text = messageOf(thrown);
  if (thrown instanceof CloudError || thrown instanceof ManagerError) {
    log.error(text, thrown);
    return FATAL;
  }
  stderr(`${text}\n`);
  log.error('command failed', thrown);
  return 1;
}
