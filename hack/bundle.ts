import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { build, type Plugin } from 'esbuild';

const OUTPUT = 'dist/cloudstack-ccm.js';

/** Answers of git, or nothing where there is no repository (a source archive, an image build). */
function git(...args: string[]): string {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

/** The newest tag without its `v`, plus `-main+<commit>` unless the commit itself carries it; `0.0.0` without a tag. */
function versionOf(commit: string): string {
  const stamp = process.env['VERSION'];
  if (stamp) return stamp;
  const newest = git('describe', '--tags', '--abbrev=0');
  const version = newest.replace(/^v/, '') || '0.0.0';
  const tagged = git('tag', '--points-at', 'HEAD').split('\n').includes(newest) && newest !== '';
  return tagged || !commit ? version : `${version}-main+${commit}`;
}

const commit = process.env['COMMIT'] ?? git('rev-parse', 'HEAD');
const version = versionOf(commit);
const buildDate = process.env['BUILD_DATE'] ?? new Date().toISOString().replace(/\.\d+Z$/, 'Z');

/**
 * Runs before everything else. The optimising compilers are left off and space goes before speed: a controller waits most
 * of its time, and the compilers' pages and feedback cost 12 MB of resident memory (docs/adr/0007). CommonJS libraries
 * inside an ES module bundle call require() for Node's own modules.
 */
const BANNER = [
  '#!/usr/bin/env node',
  "process.getBuiltinModule('node:v8').setFlagsFromString('--no-opt --no-maglev --optimize-for-size');",
  "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);",
].join('\n');

/**
 * Takes Node's own modules as CommonJS objects. An ES import of `node:http` reads every export to bind it, which runs
 * the getters of WebSocket and its kin and so loads all of undici: 8 MB that nobody here uses.
 */
const builtinsByReference: Plugin = {
  name: 'builtins by reference',
  setup(building) {
    building.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: 'builtin' }));
    building.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

mkdirSync('dist', { recursive: true });
await build({
  entryPoints: ['apps/cloudstack-ccm/src/main.ts'],
  outfile: OUTPUT,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  minifySyntax: true,
  legalComments: 'eof',
  banner: { js: BANNER },
  define: {
    __VERSION__: JSON.stringify(version),
    __COMMIT__: JSON.stringify(commit),
    __BUILD_DATE__: JSON.stringify(buildDate),
  },
  plugins: [builtinsByReference],
  logLevel: 'warning',
});
console.log(`${OUTPUT}  ${version}  ${(statSync(OUTPUT).size / 1024).toFixed(0)} KiB`);
