import type { BuildProgress } from './find.ts';

/** One line that tells a person what a build does and for how long it has done it. */
export function progressLine(progress: BuildProgress): string {
  const seconds = String(Math.floor(progress.elapsedMs / 1000)).padStart(3);
  return `${seconds} s  ${words(progress)}`;
}

function words({ doing, detail, compiled, packages }: BuildProgress): string {
  switch (doing) {
    case 'waiting':
      return `waiting ${detail}`;
    case 'downloading':
      return `downloading ${detail === '' ? 'modules' : detail}`;
    case 'compiling':
      return `compiling kube-apiserver and etcd: ${compiled} of up to ${packages} packages (${detail})`;
    case 'linking':
      return 'linking kube-apiserver and etcd';
    default:
      return doing satisfies never;
  }
}

/**
 * Prints lines over each other on a terminal of that many columns; elsewhere, as in a log, one line every ten seconds.
 */
export function progressPrinter(
  write: (text: string) => void,
  columns: number | undefined,
): (elapsedMs: number, line: string) => void {
  let next = 0;
  return (elapsedMs, line) => {
    if (columns !== undefined) return write(`\r\u001B[K${line.slice(0, columns - 1)}`);
    if (elapsedMs < next) return;
    next = elapsedMs + 10_000;
    write(`${line}\n`);
  };
}
