import { matchesGlob } from 'node:path';

/** The verbosity of a file; undefined where no pattern names it. */
export type FileVerbosity = (file: string) => number | undefined;

/**
 * Reads what `--vmodule` says: `pattern=N,…`. A pattern names files without folder and extension and may have `*`, `?`
 * and `[…]`; the first that matches counts, as in klog.
 * @param text checked already
 * @returns undefined when there is no pattern
 */
export function readVmodule(text: string): FileVerbosity | undefined {
  const patterns = text
    .split(',')
    .filter((item) => item.trim() !== '')
    .map((item) => {
      const [pattern = '', level = ''] = item.trim().split('=');
      return { pattern: withoutExtension(pattern), level: Number(level) };
    });
  if (patterns.length === 0) return undefined;
  return (file) => {
    const name = withoutExtension(file.replace(/^.*\//, '').replace(/:\d+$/, ''));
    return patterns.find(({ pattern }) => matchesGlob(name, pattern))?.level;
  };
}

function withoutExtension(file: string): string {
  return file.replace(/\.(ts|js|go)$/, '');
}
