import { execFileSync } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { gatherDeclarations } from './declarations.ts';

export const ROOM: string = join(import.meta.dirname, '..');
const ROOT = join(ROOM, '../..');

/** CommonJS libraries inside of an ES module call require() for Node's own modules. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/**
 * Writes the program and the library, with everything they import, and the library's types. Node strips types from
 * sources only outside of node_modules, so a package can't be the sources.
 */
export async function bundle(target: string): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: ROOM,
    entryPoints: ['src/index.ts', 'src/main.ts'],
    outdir: target,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    legalComments: 'inline',
    metafile: true,
    banner: { js: REQUIRE },
    logLevel: 'warning',
  });
  const emitted = join(target, 'emitted');
  emitDeclarations(emitted);
  await gatherDeclarations(emitted, target);
  await copyFile(join(ROOT, 'LICENSE'), join(target, 'LICENSE'));
  await writeFile(join(target, 'THIRD-PARTY-LICENSES'), await licensesOf(metafile));
}

/** The licences of the libraries inside of the bundle, which ask to go with it. */
async function licensesOf({ outputs }: Metafile): Promise<string> {
  const used = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  const libraries = used.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  const texts = [...new Set(libraries)].map(
    async (name) => `${name}\n\n${await readFile(join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8')}`,
  );
  return (await Promise.all(texts)).join('\n');
}

function emitDeclarations(folder: string): void {
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  const output = ['--outDir', folder, '--rootDir', join(ROOM, '..')];
  execFileSync(compiler, ['-p', join(ROOM, 'packaging/tsconfig.json'), ...output], { stdio: 'inherit' });
}
