import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { ROOM } from './bundle.ts';

const ROOT = join(ROOM, '../..');
const PACKAGE = 'node_modules/@cloudstack-ccm/cloudstack-simulator';

const PROGRAM = `
import { sign, startSimulator, type Simulator, type SimulatorOptions } from '@cloudstack-ccm/cloudstack-simulator';

const options: SimulatorOptions = { version: '4.20', scene: (world) => void world.zone({ name: 'zone-a' }) };
const simulator: Simulator = await startSimulator(options);
// @ts-expect-error a number is no name
simulator.credentials.get(5);
const { apiKey = '', secretKey = '' } = simulator.credentials.get('admin') ?? {};
const query = new Map([['command', 'listZones'], ['apiKey', apiKey], ['response', 'json']]);
query.set('signature', sign(query, secretKey));
const answer = await fetch(\`\${simulator.url}?\${new URLSearchParams([...query])}\`);
const { listzonesresponse } = (await answer.json()) as { listzonesresponse: { zone: { name: string }[] } };
console.log(listzonesresponse.zone.map(({ name }) => name).join());
await simulator.close();
`;

/** Runs a program to its end. @returns what it printed. */
async function run(folder: string, program: string, ...args: readonly string[]): Promise<string> {
  const environment = { NPM_CONFIG_UPDATE_NOTIFIER: 'false', NPM_CONFIG_OFFLINE: 'true' };
  const options = { cwd: folder, env: { ...process.env, ...environment } };
  return (await promisify(execFile)(program, args, options)).stdout;
}

/** A workspace of its own, so that packing it disturbs nobody who reads the manifests meanwhile. */
async function copyWorkspace(target: string): Promise<void> {
  const filter = (path: string): boolean => !/\/(contract|clients|dist|node_modules)$/.test(path);
  await cp(ROOM, join(target, 'packages/cloudstack-simulator'), { recursive: true, filter });
  await cp(join(ROOM, '../base'), join(target, 'packages/base'), { recursive: true, filter });
  for (const name of ['tsconfig.json', 'LICENSE']) await cp(join(ROOT, name), join(target, name));
  await writeFile(join(target, 'package.json'), '{ "private": true, "workspaces": ["packages/*"] }');
  await symlink(join(ROOT, 'node_modules'), join(target, 'node_modules'));
}

describe('the package', { timeout: 180_000 }, () => {
  let folder = '';
  let manifest = '';
  let installed = '';
  const room = (name: string): Promise<string> =>
    readFile(join(folder, 'workspace/packages/cloudstack-simulator', name), 'utf8');

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'package-'));
    const workspace = join(folder, 'workspace');
    await copyWorkspace(workspace);
    manifest = await room('package.json');
    await run(workspace, 'npm', 'pack', '-w', 'packages/cloudstack-simulator', '--pack-destination', folder);
    installed = join(folder, 'elsewhere');
    await mkdir(installed);
    await writeFile(join(installed, 'package.json'), '{ "private": true, "type": "module" }');
    const { version } = JSON.parse(manifest) as { readonly version: string };
    const tarball = join(folder, `cloudstack-ccm-cloudstack-simulator-${version}.tgz`);
    await run(installed, 'npm', 'install', '--no-audit', '--no-fund', tarball);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('leaves the workspace as it was', async () => {
    assert.equal(await room('package.json'), manifest);
    await assert.rejects(room('package.source.json'));
    await assert.rejects(room('dist/index.js'));
  });

  it('needs no other package, and carries the licences of what is inside', async () => {
    const { dependencies, private: secret } = JSON.parse(
      await readFile(join(installed, PACKAGE, 'package.json'), 'utf8'),
    ) as Readonly<Record<string, unknown>>;
    assert.deepEqual([dependencies, secret], [undefined, undefined]);
    const licenses = await readFile(join(installed, PACKAGE, 'dist/THIRD-PARTY-LICENSES'), 'utf8');
    assert.ok(licenses.startsWith('yaml\n\nCopyright '));
  });

  it('brings a command', async () => {
    const help = await run(installed, join(installed, 'node_modules/.bin/cloudstack-simulator'), '--help');
    assert.match(help, /^cloudstack-simulator: an Apache CloudStack management server/);
  });

  it('brings a library with types that check on their own', async () => {
    await writeFile(join(installed, 'program.ts'), PROGRAM);
    const strict = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--typeRoots'];
    const compile = [...strict, join(ROOT, 'node_modules/@types'), '--types', 'node', 'program.ts'];
    await run(installed, join(ROOT, 'node_modules/.bin/tsc'), ...compile);
    assert.equal(await run(installed, process.execPath, 'program.js'), 'zone-a\n');
  });
});
