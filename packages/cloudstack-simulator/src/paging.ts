import { invalidValue, serverError } from './api-error.ts';

export interface Page {
  readonly page?: number | undefined;
  readonly pagesize?: number | undefined;
}

/** The part of the rows that an answer holds. @throws ApiError for half a page parameter, or too large a page. */
export function pageOf<R>(rows: readonly R[], { page, pagesize }: Page, maximum: number): readonly R[] {
  checkPage({ page, pagesize }, maximum);
  if (pagesize === undefined) return maximum === -1 ? rows : rows.slice(0, maximum);
  const start = (Math.max(1, page ?? 1) - 1) * pagesize;
  return rows.slice(start, start + pagesize);
}

export function checkPage({ page, pagesize }: Page, maximum: number): void {
  if (pagesize === -1 && page !== undefined) {
    throw invalidValue("Can't specify page parameter when pagesize is -1 (Unlimited)");
  }
  if (pagesize !== undefined && maximum !== -1 && pagesize > maximum) {
    throw invalidValue(`Page size can't exceed max allowed page size value: ${maximum}`);
  }
  if (pagesize !== undefined && page === undefined) {
    throw serverError(431, '"page" parameter is required when "pagesize" is specified');
  }
  if (page !== undefined && pagesize === undefined) {
    throw serverError(431, '"pagesize" parameter is required when "page" is specified');
  }
}

/** SQL's LIKE between two percent signs: `%` and `_` in the keyword are wildcards, case does not matter. */
export function like(text: string | undefined, keyword: string): boolean {
  if (text === undefined) return false;
  const pattern = keyword
    .replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('%', '.*')
    .replaceAll('_', '.');
  return new RegExp(pattern, 'is').test(text);
}
