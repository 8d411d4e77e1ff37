#!/usr/bin/env -S node --max-semi-space-size=4
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { InvalidInputError, messageOf } from '@cloudstack-ccm/base';
import { buildScene, parseScene } from './scene/document.ts';
import { demoScene } from './scene/demo.ts';
import type { World } from './scene/world.ts';
import { startSimulator, type Simulator } from './simulator.ts';
import { timingByName } from './timing.ts';
import { versionProfiles } from './version-profile.ts';

const HELP = `cloudstack-simulator: an Apache CloudStack management server in one process

  --port <number>      port of the API; 0 takes any free one (default 8080)
  --control-port <number>  port of the page that shows the state, and of the control API (default: the next one)
  --host <address>     address to listen on (default 127.0.0.1)
  --scene <file>       YAML file with what is there at the start (default: an account k8s, a network, three machines)
  --version <release>  release to behave like: ${versionProfiles.map((profile) => profile.name).join(', ')}
                       (default ${versionProfiles.at(-1)?.name})
  --timing <name>      instant, or recorded: as slow as a real server (default instant)
  --seed <number>      makes ids, keys and chance repeatable (default 1)
  --help               this text

It prints the URL and the keys of every account, and ends on Ctrl-C.
`;

interface Arguments {
  readonly port: number;
  readonly controlPort: number;
  readonly host: string;
  readonly scene: (world: World) => void;
  readonly version?: string;
  readonly timing: ReturnType<typeof timingByName>;
  readonly seed: number;
}

async function readArguments(values: Values): Promise<Arguments> {
  const port = wholeNumber('port', values.port ?? '8080');
  return {
    port,
    controlPort:
      values['control-port'] === undefined ? followingPort(port) : wholeNumber('control-port', values['control-port']),
    host: values.host ?? '127.0.0.1',
    scene: values.scene === undefined ? demoScene : await sceneFrom(values.scene),
    ...(values.version !== undefined && { version: values.version }),
    timing: timingByName(values.timing ?? 'instant'),
    seed: wholeNumber('seed', values.seed ?? '1'),
  };
}

type Values = ReturnType<typeof parse>;

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = {
    port: text,
    'control-port': text,
    host: text,
    scene: text,
    version: text,
    timing: text,
    seed: text,
    help: { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (thrown) {
    throw new InvalidInputError(messageOf(thrown));
  }
}

/** Any free port goes with any free port. */
function followingPort(port: number): number {
  return port === 0 ? 0 : port + 1;
}

function wholeNumber(name: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidInputError(`--${name} must be a whole number, not ${text}`);
}

async function sceneFrom(path: string): Promise<(world: World) => void> {
  const document = parseScene(await readFile(path, 'utf8'));
  return (world) => buildScene(world, document);
}

function introduce({ url, controlUrl, profile, credentials }: Simulator): string {
  const keys = [...credentials.values()].map(
    ({ account, apiKey, secretKey }) => `\n${account.name}\n  api key     ${apiKey}\n  secret key  ${secretKey}\n`,
  );
  return `CloudStack ${profile.version} at ${url}\nIts state at ${controlUrl}\n${keys.join('')}`;
}

async function main(): Promise<void> {
  const values = parse(process.argv.slice(2));
  if (values.help) return void process.stdout.write(HELP);
  const simulator = await startSimulator(await readArguments(values));
  process.stdout.write(introduce(simulator));
  const end = (): void => void simulator.close();
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}

try {
  await main();
} catch (thrown) {
  const known = thrown instanceof InvalidInputError;
  process.stderr.write(`${known ? messageOf(thrown) : String(thrown instanceof Error ? thrown.stack : thrown)}\n`);
  if (known) process.stderr.write('Try --help.\n');
  process.exitCode = known ? 2 : 1;
}
