import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { AssetsError, BuildError } from './errors.ts';
import { type BuildProgress, cached, findKubectl, findOrBuild } from './find.ts';
import { cacheFolder, programNames } from './go-module.ts';

const root = mkdtempSync(join(tmpdir(), 'find-'));
after(() => rmSync(root, { recursive: true }));

function program(folder: string, name: string, script = 'exit 0'): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

function newFolder(name: string): string {
  return mkdtempSync(join(root, `${name}-`));
}

/** A stand-in for Go that tells what the real one tells, and counts its builds. */
function fakeGo(build: string): { readonly environment: NodeJS.ProcessEnv; readonly builds: () => number } {
  const folder = newFolder('go');
  const log = join(folder, 'builds');
  program(
    folder,
    'go',
    `case "$1" in
       env) echo go99.0.0 ;;
       list) echo "go: downloading example.org/module v1.2.3" >&2; echo one; echo two ;;
       build) echo x >>${log}; while [ "$1" != -o ]; do shift; done; out=$2; ${build} ;;
     esac`,
  );
  const environment = { PATH: [folder, process.env['PATH']].join(delimiter), XDG_CACHE_HOME: newFolder('cache') };
  return { environment, builds: () => readFileSync(log, 'utf8').length / 2 };
}

const GOOD_BUILD = 'echo example.org/package >&2; echo control-plane/cmd/lite >&2; sleep 0.2; cp /bin/sh "$out"';

test('the folder that KUBEBUILDER_ASSETS names comes first', () => {
  const folder = newFolder('assets');
  const environment = { KUBEBUILDER_ASSETS: folder, XDG_CACHE_HOME: newFolder('cache') };
  for (const name of programNames) program(cacheFolder(environment), name);
  program(folder, 'etcd');
  program(folder, 'kube-apiserver');
  assert.deepEqual(cached({ environment }), {
    etcd: join(folder, 'etcd'),
    kubeApiserver: join(folder, 'kube-apiserver'),
    kubectl: undefined,
    origin: 'given',
  });
});

test('a folder that lacks a program is refused by name, and nothing is built instead', async () => {
  const folder = newFolder('assets');
  program(folder, 'etcd');
  const environment = { KUBEBUILDER_ASSETS: folder };
  assert.throws(
    () => cached({ environment }),
    (error) => error instanceof AssetsError && error.message.includes(`${folder}, but kube-apiserver cannot be run`),
  );
  await assert.rejects(findOrBuild({ environment }), AssetsError);
});

test('looking for what is cached builds nothing', () => {
  const { environment, builds } = fakeGo(GOOD_BUILD);
  assert.equal(cached({ environment }), undefined);
  assert.throws(builds, /ENOENT/);
});

test('builds once, for several that ask at the same time, and finds it later', async () => {
  const { environment, builds } = fakeGo(GOOD_BUILD);
  const seen: BuildProgress[] = [];
  const find = () => findOrBuild({ environment, onProgress: (progress) => seen.push(progress) });
  const [first, second] = await Promise.all([find(), find()]);
  assert.equal(builds(), 1);
  assert.deepEqual(first, second);
  assert.deepEqual(cached({ environment }), first);
  assert.equal(first.kubectl, join(dirname(first.etcd), 'kubectl'));
  assert.ok(seen.some(({ doing }) => doing === 'waiting'));
});

test('tells each step of a build', async () => {
  const { environment } = fakeGo(GOOD_BUILD);
  const seen: BuildProgress[] = [];
  await findOrBuild({ environment, onProgress: (progress) => seen.push(progress) });
  assert.deepEqual(
    seen.map(({ doing, detail, compiled, packages }) => `${doing} ${detail} ${compiled}/${packages}`),
    [
      'downloading example.org/module v1.2.3 0/0',
      'compiling example.org/package 1/2',
      'linking control-plane/cmd/lite 2/2',
    ],
  );
});

test('a failed build tells the last lines, leaves nothing behind, and can be tried again', async () => {
  const { environment } = fakeGo('echo "no space left on device" >&2; exit 1');
  await assert.rejects(
    findOrBuild({ environment }),
    (error) => error instanceof BuildError && error.message.endsWith('no space left on device'),
  );
  assert.deepEqual(readdirSync(dirname(cacheFolder(environment))), []);
  await assert.rejects(findOrBuild({ environment }), BuildError);
});

test('kubectl is the one beside kube-apiserver, else the first in PATH', () => {
  const [cache, bin] = [newFolder('cache'), newFolder('bin')];
  const environment = { XDG_CACHE_HOME: cache, PATH: ['/nonexistent', bin].join(delimiter) };
  assert.equal(findKubectl({ environment }), undefined);
  const inPath = program(bin, 'kubectl');
  assert.equal(findKubectl({ environment }), inPath);
  for (const name of programNames) program(cacheFolder(environment), name);
  assert.equal(findKubectl({ environment }), join(cacheFolder(environment), 'kubectl'));
});
