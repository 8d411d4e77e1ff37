/** What happens to a list's objects behind the back of somebody who is reading it page by page. */
export interface PageChange {
  /** `move` gives objects a new place at the young end of the list, as if they had just been made. */
  readonly change: 'delete' | 'create' | 'move';
  /** Names, or ids where things have no names. Absent: at random, by the seed. */
  readonly objects?: readonly string[];
  /** How many at random. Default 1. */
  readonly number?: number;
}
