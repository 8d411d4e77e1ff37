import { InvalidInputError } from './errors.ts';

const FIELD = /"((?:[^"]|"")*)"(?=,|$)|([^,"]*)(?=,|$)/y;

/**
 * Reads one CSV record as Go's encoding/csv does: fields may be quoted, a quote inside is doubled.
 * @throws InvalidInputError for a stray quote.
 */
export function parseCsvRecord(text: string): string[] {
  const fields: string[] = [];
  for (let at = 0; at <= text.length; at = FIELD.lastIndex + 1) {
    FIELD.lastIndex = at;
    const match = FIELD.exec(text);
    if (!match) throw strayQuote(text, at);
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
  }
  return fields;
}

/** Writes fields as one CSV record, quoting those that need it. */
export function formatCsvRecord(fields: readonly string[]): string {
  return fields.map((field) => (/^\s|[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',');
}

function strayQuote(text: string, at: number): InvalidInputError {
  const quoted = text[at] === '"';
  const column = (quoted ? text.length : text.indexOf('"', at)) + 1;
  const what = quoted ? 'extraneous or missing " in quoted-field' : 'bare " in non-quoted field';
  return new InvalidInputError(`parse error on line 1, column ${column}: ${what}`);
}
