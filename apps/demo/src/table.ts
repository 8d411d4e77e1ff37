import { stripVTControlCharacters } from 'node:util';

/** Columns as kubectl prints them: upper-case heads, three blanks between, nothing around. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const lines = [heads.map((head) => head.toUpperCase()), ...rows];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => width(line[column] ?? ''))));
  return lines.map((line) =>
    line
      .map((cell, column) => pad(cell, widths[column] ?? 0))
      .join('   ')
      .trimEnd(),
  );
}

function pad(cell: string, to: number): string {
  return cell + ' '.repeat(Math.max(0, to - width(cell)));
}

/** Colours take no room on the screen. */
function width(cell: string): number {
  return stripVTControlCharacters(cell).length;
}
