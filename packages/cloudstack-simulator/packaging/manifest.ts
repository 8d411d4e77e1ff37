import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const KEPT = 'package.source.json';

type Manifest = Readonly<Record<string, unknown>>;

/** The manifest of what strangers install: the bundle's, without dependencies and scripts. */
function publishedManifest({ name, version, description, license, keywords }: Manifest): Manifest {
  return {
    name,
    version,
    description,
    license,
    ...(keywords !== undefined && { keywords }),
    type: 'module',
    engines: { node: '>=20' },
    bin: { 'cloudstack-simulator': './dist/main.js' },
    exports: { '.': { types: './dist/types/cloudstack-simulator/src/index.d.ts', default: './dist/index.js' } },
    files: ['dist', 'scenes'],
  };
}

/** Puts the published manifest in the place of the workspace's until `restoreManifest`. */
export async function swapManifest(folder: string): Promise<void> {
  await restoreManifest(folder);
  const manifest = join(folder, 'package.json');
  const own = await readFile(manifest, 'utf8');
  await writeFile(join(folder, KEPT), own);
  await writeFile(manifest, `${JSON.stringify(publishedManifest(JSON.parse(own) as Manifest), null, 2)}\n`);
}

/** Puts the workspace's manifest back, if it was swapped; a pack that was cut short is mended by the next one. */
export async function restoreManifest(folder: string): Promise<void> {
  try {
    await rename(join(folder, KEPT), join(folder, 'package.json'));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

/** Forgets an earlier bundle. */
export async function clear(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
