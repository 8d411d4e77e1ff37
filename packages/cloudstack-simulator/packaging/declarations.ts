import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

const BASE = "'@cloudstack-ccm/base'";
const NAMED = /(import|export)( type)? \{([^}]*)\} from '([^']+)'/g;

/**
 * Moves the declarations that the library's entry needs, and no others, to `types` in the target. What they take from
 * the base package becomes a file beside them, so that the package's types need no other package.
 */
export async function gatherDeclarations(emitted: string, target: string): Promise<void> {
  const base = join(emitted, 'base/src');
  const homes = await readHomes(base);
  const waiting = [join(emitted, 'cloudstack-simulator/src/index.d.ts')];
  const seen = new Set(waiting);
  for (const file of waiting) {
    const text = rewrite(await readFile(file, 'utf8'), file, base, homes);
    const place = join(target, 'types', relative(emitted, file));
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, text);
    for (const next of importsOf(text, file)) {
      if (!seen.has(next)) waiting.push(next);
      seen.add(next);
    }
  }
  await rm(emitted, { recursive: true });
}

/** Which file of the base package declares a name. */
async function readHomes(base: string): Promise<ReadonlyMap<string, string>> {
  const index = await readFile(join(base, 'index.d.ts'), 'utf8');
  const entries = [...index.matchAll(NAMED)].flatMap(([, , , names = '', from = '']) =>
    words(names).map((name): [string, string] => [name, from]),
  );
  return new Map(entries);
}

function words(names: string): string[] {
  return names
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '');
}

function rewrite(text: string, file: string, base: string, homes: ReadonlyMap<string, string>): string {
  const apart = text.replace(NAMED, (all, verb: string, type: string | undefined, names: string, from: string) =>
    `'${from}'` === BASE
      ? words(names)
          .map((name) => `${verb}${type ?? ''} { ${name} } from '${pathTo(file, join(base, homes.get(name) ?? name))}'`)
          .join(';\n')
      : all,
  );
  return apart
    .replace(/from '(\.[^']*)\.ts'/g, "from '$1.js'")
    .replace(/import\("(\.[^"]*)\.ts"\)/g, 'import("$1.js")');
}

function pathTo(file: string, other: string): string {
  const path = relative(dirname(file), other);
  return path.startsWith('.') ? path : `./${path}`;
}

function importsOf(text: string, file: string): string[] {
  return [...text.matchAll(/(?:from '|import\(")(\.[^'"]*)\.js['"]/g)].map(([, path = '']) =>
    join(dirname(file), `${path}.d.ts`),
  );
}
