import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Part {
  readonly line: number;
  readonly file: string;
}

let parts: readonly Part[] | undefined;

/**
 * The source file that a line of the bundle comes from: the bundler writes its name above each. Outside of the bundle the
 * caller is the source already.
 * @param caller `file:line`
 */
export function sourceOf(caller: string): string {
  const [, line = ''] = /\.js:(\d+)$/.exec(caller) ?? [];
  if (line === '') return caller;
  parts ??= readParts(readFileSync(fileURLToPath(import.meta.url), 'utf8'));
  return parts.findLast((part) => part.line <= Number(line))?.file ?? caller;
}

/** Where each source file begins. Exported for its test. */
export function readParts(bundle: string): readonly Part[] {
  return bundle.split('\n').flatMap((text, index) => {
    const [, file = ''] = /^\/\/ ((?:apps|packages|node_modules)\/\S+)$/.exec(text) ?? [];
    // A flat copy: a substring would keep the whole bundle in memory.
    return file === '' ? [] : [{ line: index + 1, file: Buffer.from(file).toString() }];
  });
}
