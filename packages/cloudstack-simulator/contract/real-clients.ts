import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Simulator } from '../src/simulator.ts';

const run = promisify(execFile);

const SOURCES = join(import.meta.dirname, '..', 'clients');

/** Where what clients need is kept between runs, outside of the tree. */
function cache(): string {
  const folder = join(
    process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
    'cloudstack-ccm',
    'simulator-clients',
  );
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Runs the program that uses the Apache Go SDK. @returns the object it printed. */
export async function runGoClient(
  simulator: Simulator,
  environment: Readonly<Record<string, string>>,
): Promise<unknown> {
  const program = join(cache(), 'go-client');
  // Go keeps what it built: the second time costs a moment only.
  await run('go', ['build', '-o', program, '.'], { cwd: join(SOURCES, 'go'), timeout: 300_000 });
  return printed(program, [], simulator, environment);
}

/** Runs the program that uses Python's `cs`. @returns the object it printed. */
export async function runPythonClient(
  simulator: Simulator,
  environment: Readonly<Record<string, string>>,
): Promise<unknown> {
  return printed(await python(), [join(SOURCES, 'python', 'client.py')], simulator, environment);
}

/** A virtual environment with the packages of `requirements.txt`. */
async function python(): Promise<string> {
  const requirements = readFileSync(join(SOURCES, 'python', 'requirements.txt'), 'utf8');
  const folder = join(cache(), 'python');
  const [interpreter, stamp] = [join(folder, 'bin', 'python'), join(folder, 'installed.txt')];
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === requirements) return interpreter;
  await run('python3', ['-m', 'venv', folder], { timeout: 120_000 });
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt'];
  await run(interpreter, install, { cwd: join(SOURCES, 'python'), timeout: 300_000 });
  writeFileSync(stamp, requirements);
  return interpreter;
}

async function printed(
  program: string,
  parameters: readonly string[],
  { url }: Simulator,
  environment: Readonly<Record<string, string>>,
): Promise<unknown> {
  const env = { ...process.env, CLOUDSTACK_ENDPOINT: url, ...environment };
  const { stdout } = await run(program, [...parameters], { env, timeout: 120_000 });
  return JSON.parse(stdout);
}
