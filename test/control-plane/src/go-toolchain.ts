import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { messageOf } from '@cloudstack-ccm/base';
import { GoToolchainError } from './errors.ts';
import { moduleFolder, requiredGoVersion } from './go-module.ts';

const run = promisify(execFile);

/**
 * Makes sure that Go is there and new enough.
 * @returns its version, for example `1.26.8`.
 * @throws GoToolchainError that says what to install.
 */
export async function checkGo(environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  const required = requiredGoVersion();
  const found = await installedGo(environment, required);
  if (!atLeast(found, required)) throw new GoToolchainError(`Go ${found} is installed, but ${advice(required)}`);
  return found;
}

/** Asked inside the module, Go fetches the tool chain that go.mod asks for, where GOTOOLCHAIN allows it. */
async function installedGo(environment: NodeJS.ProcessEnv, required: string): Promise<string> {
  try {
    const { stdout } = await run('go', ['env', 'GOVERSION'], { cwd: moduleFolder, env: environment });
    return stdout.trim().replace(/^go/, '');
  } catch (thrown) {
    const missing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
    const reason = missing ? 'Go is not installed' : `Go cannot be used (${firstLine(messageOf(thrown))})`;
    throw new GoToolchainError(`${reason}, and ${advice(required)}`);
  }
}

function advice(required: string): string {
  return (
    `building kube-apiserver and etcd needs Go ${required} or newer. Install it from https://go.dev/dl and make sure ` +
    'that it is first in PATH, or set KUBEBUILDER_ASSETS to a folder that holds etcd and kube-apiserver.'
  );
}

function firstLine(text: string): string {
  return text.split('\n').find((line) => line !== '' && !line.startsWith('Command failed')) ?? text;
}

/** Compares dotted versions number by number; `1.27rc1` counts as 1.27. */
export function atLeast(found: string, required: string): boolean {
  const [have, need] = [numbers(found), numbers(required)];
  for (const [index, wanted] of need.entries()) {
    const actual = have[index] ?? 0;
    if (actual !== wanted) return actual > wanted;
  }
  return true;
}

function numbers(version: string): readonly number[] {
  return version.split('.').map((part) => Number.parseInt(part, 10) || 0);
}
