import { isRoot, type Call } from './call.ts';
import type { ParameterTable, Value, Values } from './parameter.ts';

/** What commands call it, each for its kind of thing. */
const NAMES = ['fordisplay', 'displayvm', 'displaynetwork'] as const;

/** Whether root said that something is to be displayed. From others the parameters never get this far. */
function wish(values: Values<ParameterTable>): boolean | undefined {
  const given: Readonly<Record<string, Value | undefined>> = values;
  const value = NAMES.map((name) => given[name]).find((one) => one !== undefined);
  return typeof value === 'boolean' ? value : undefined;
}

/** Remembers what root said when a thing was made or changed. */
export function rememberDisplay({ state }: Call, id: unknown, values: Values<ParameterTable>): void {
  const display = wish(values);
  if (display !== undefined && typeof id === 'string') state.setDisplay(id, display);
}

/** Root's lists have everything, or what was asked for; others' have what is to be displayed. */
export function displayed<R>(call: Call, rows: readonly R[], values: Values<ParameterTable>): readonly R[] {
  const wanted = isRoot(call) ? wish(values) : true;
  if (wanted === undefined) return rows;
  const fits = (row: R): boolean => isDisplayed(row) === wanted;
  return rows.every(fits) ? rows : rows.filter(fits);
}

function isDisplayed(row: unknown): boolean {
  return !(typeof row === 'object' && row !== null && 'display' in row && row.display === false);
}
