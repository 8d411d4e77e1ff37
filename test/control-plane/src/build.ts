import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { BuildError } from './errors.ts';
import { kubernetesVersion, moduleFolder, programNames } from './go-module.ts';

/** What a build does right now. */
export interface BuildStep {
  readonly doing: 'waiting' | 'downloading' | 'compiling' | 'linking';
  /** The module or package at hand, for a person to read. */
  readonly detail: string;
  /** Packages compiled so far, and how many there are if none of them is in Go's cache. */
  readonly compiled: number;
  readonly packages: number;
}

type OnStep = (step: BuildStep) => void;

/**
 * Builds the module and puts the result in place with one rename, so that a folder that exists is complete.
 * @throws BuildError with the last lines of Go.
 */
export async function build(folder: string, environment: NodeJS.ProcessEnv, onStep: OnStep): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
  const workshop = mkdtempSync(join(dirname(folder), '.building-'));
  try {
    const packages = await download(environment, onStep);
    await compile(join(workshop, 'lite'), packages, environment, onStep);
    for (const name of programNames) symlinkSync('lite', join(workshop, name));
    putInPlace(workshop, folder);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

/** @returns the number of packages. Listing them is what makes Go download every module that is needed, and no more. */
async function download(environment: NodeJS.ProcessEnv, onStep: OnStep): Promise<number> {
  let packages = 0;
  await go(['list', '-deps', './cmd/lite'], environment, {
    out: () => packages++,
    err: (line) =>
      onStep({ doing: 'downloading', detail: line.replace(/^go: downloading /, ''), compiled: 0, packages: 0 }),
  });
  return packages;
}

async function compile(
  output: string,
  packages: number,
  environment: NodeJS.ProcessEnv,
  onStep: OnStep,
): Promise<void> {
  let compiled = 0;
  await go(['build', '-v', '-trimpath', '-ldflags', linkerFlags(), '-o', output, './cmd/lite'], environment, {
    out: () => undefined,
    err: (line) => {
      compiled += 1;
      // Go names our own package when it starts to compile it; linking is all that comes after.
      const doing = line === 'control-plane/cmd/lite' ? 'linking' : 'compiling';
      onStep({ doing, detail: line, compiled, packages });
    },
  });
}

/** Makes `/version` tell the truth, which clients use to choose features. */
function linkerFlags(): string {
  const version = kubernetesVersion();
  const [major = '', minor = ''] = version.slice(1).split('.');
  const values = { gitVersion: version, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' };
  const variables = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((path) =>
    Object.entries(values).map(([name, value]) => `-X ${path}.${name}=${value}`),
  );
  return ['-s -w', ...variables].join(' ');
}

interface Listeners {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

async function go(args: readonly string[], environment: NodeJS.ProcessEnv, listeners: Listeners): Promise<void> {
  const env = { ...environment, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -buildvcs=false', GOWORK: 'off' };
  const child = spawn('go', args, { cwd: moduleFolder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const last: string[] = [];
  createInterface({ input: child.stdout }).on('line', listeners.out);
  createInterface({ input: child.stderr }).on('line', (line) => {
    last.push(line);
    if (last.length > 20) last.shift();
    listeners.err(line);
  });
  const exit = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code === null ? `signal ${signal}` : `exit code ${code}`));
  });
  if (exit !== 'exit code 0') throw new BuildError(`go ${args[0]}`, exit, last.join('\n'));
}

function putInPlace(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (thrown) {
    // Another builder was faster: its result is as good as ours.
    const occupied =
      thrown instanceof Error && 'code' in thrown && ['ENOTEMPTY', 'EEXIST'].includes(String(thrown.code));
    if (!occupied) throw thrown;
  }
}
