import { delimiter, join } from 'node:path';
import { Scope } from '@cloudstack-ccm/base';
import { type Assets, assetsIn, executable } from './assets.ts';
import { tryLock } from './build-lock.ts';
import { build, type BuildStep } from './build.ts';
import { AssetsError } from './errors.ts';
import { cacheFolder } from './go-module.ts';
import { checkGo } from './go-toolchain.ts';

export interface BuildProgress extends BuildStep {
  readonly elapsedMs: number;
}

export interface FindOptions {
  /** Told about each step of a build, and once a second. Not called when nothing has to be built. */
  readonly onProgress?: (progress: BuildProgress) => void;
  /** Default `process.env`. */
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * The control plane's programs, if they are at hand: in the folder that `KUBEBUILDER_ASSETS` names, else in our cache.
 * Builds nothing and takes a few milliseconds.
 * @throws AssetsError when `KUBEBUILDER_ASSETS` is set and wrong.
 */
export function cached(options: Pick<FindOptions, 'environment'> = {}): Assets | undefined {
  const environment = options.environment ?? process.env;
  return given(environment) ?? built(environment);
}

/**
 * The control plane's programs; built with Go when they are not at hand, which takes about five minutes once.
 * When several processes ask at the same time, one builds and the others wait.
 * @throws AssetsError, GoToolchainError, BuildError.
 */
export async function findOrBuild(options: FindOptions = {}): Promise<Assets> {
  return cached(options) ?? (await buildOnce(options));
}

/** A kubectl: the control plane's own, else the first in PATH; undefined if there is none. */
export function findKubectl(options: Pick<FindOptions, 'environment'> = {}): string | undefined {
  const environment = options.environment ?? process.env;
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return (
    cached({ environment })?.kubectl ??
    folders.map((folder) => join(folder, 'kubectl')).find((path) => executable(path))
  );
}

function given(environment: NodeJS.ProcessEnv): Assets | undefined {
  const folder = environment['KUBEBUILDER_ASSETS'];
  if (!folder) return undefined;
  const assets = assetsIn(folder, 'given');
  if ('etcd' in assets) return assets;
  throw new AssetsError(folder, assets);
}

function built(environment: NodeJS.ProcessEnv): Assets | undefined {
  const assets = assetsIn(cacheFolder(environment), 'built');
  return 'etcd' in assets ? assets : undefined;
}

async function buildOnce(options: FindOptions): Promise<Assets> {
  const environment = options.environment ?? process.env;
  await checkGo(environment);
  const folder = cacheFolder(environment);
  const report = reporter(options.onProgress);
  try {
    const unlock = await lock(`${folder}.lock`, () => built(environment) !== undefined, report.step);
    try {
      if (!built(environment)) await build(folder, environment, report.step);
    } finally {
      unlock();
    }
  } finally {
    report.stop();
  }
  const assets = built(environment);
  if (!assets) throw new AssetsError(folder, ['etcd', 'kube-apiserver']);
  return assets;
}

async function lock(path: string, done: () => boolean, onStep: (step: BuildStep) => void): Promise<() => void> {
  using scope = Scope.root();
  for (;;) {
    const unlock = done() ? () => undefined : tryLock(path);
    if (unlock) return unlock;
    onStep({ doing: 'waiting', detail: 'for another process that builds the same', compiled: 0, packages: 0 });
    await scope.sleep(500);
  }
}

/** Adds the elapsed time, and a sign of life each second: minutes of silence look like a hang. */
function reporter(onProgress: FindOptions['onProgress']): { step: (step: BuildStep) => void; stop: () => void } {
  const start = performance.now();
  let last: BuildStep = { doing: 'downloading', detail: '', compiled: 0, packages: 0 };
  const tell = (): void => onProgress?.({ ...last, elapsedMs: performance.now() - start });
  const timer = setInterval(tell, 1000);
  const step = (next: BuildStep): void => {
    last = next;
    tell();
  };
  return { step, stop: () => clearInterval(timer) };
}
