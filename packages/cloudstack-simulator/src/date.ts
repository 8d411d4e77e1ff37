/** A date as the API writes it: `2026-07-14T23:47:14+0000`. */
export function formatDate(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}+0000`;
}
