import type { Scope } from '@cloudstack-ccm/base';
import type { Dispatch } from './call.ts';
import type { ListCommand } from './commands/command.ts';
import { asRecord, list } from './decode.ts';
import { DecodeError, IncompleteListError, InvalidParameterError } from './errors.ts';
import type { Params } from './params.ts';

/** What one reading of a list gave. */
interface Reading<T> {
  readonly items: readonly T[];
  /** True if there are as many items as the server counted. */
  readonly complete: boolean;
  readonly count: number;
}

interface Page<T> {
  readonly items: readonly T[];
  readonly count: number;
}

const READINGS = 3;
const LARGEST_PAGE = 500;

/**
 * Reads lists completely. Without paging, CloudStack silently stops at its own limit while `count` tells the total;
 * asked for larger pages than that limit, it refuses. So the first answer that is cut teaches the limit.
 */
export class ListReader {
  readonly #dispatch: Dispatch;
  #pageSize: number | undefined;

  constructor(dispatch: Dispatch) {
    this.#dispatch = dispatch;
  }

  /**
   * @throws IncompleteListError when the pages shift too much to be sure of anything
   */
  async read<P, T>(scope: Scope, command: ListCommand<P, T>, params: Params): Promise<readonly T[]> {
    let before: string | undefined;
    for (let reading = 1; ; reading++) {
      const result = await this.#readOnce(scope, command, params);
      if (result.complete) return result.items;
      const ids = result.items.map(command.identify).sort().join();
      if (!command.exactCount && ids === before) return result.items;
      if (reading === READINGS) throw new IncompleteListError(command.command, result.items.length, result.count);
      before = ids;
    }
  }

  /** The first items only, at most so many, for when any of them will do. */
  async readSome<P, T>(scope: Scope, command: ListCommand<P, T>, params: Params, most: number): Promise<readonly T[]> {
    const pageSize = Math.min(most, this.#pageSize ?? most);
    const answer = await this.#page(scope, command, { ...params, page: 1, pageSize }).catch((error: unknown) =>
      this.#adoptSmallerPages(error, pageSize),
    );
    return answer ? answer.items : this.readSome(scope, command, params, most);
  }

  async #readOnce<P, T>(scope: Scope, command: ListCommand<P, T>, params: Params): Promise<Reading<T>> {
    if (!command.paged || this.#pageSize === undefined) {
      const { items, count } = await this.#page(scope, command, params);
      if (!command.paged || items.length >= count) return { items, count, complete: items.length >= count };
      this.#pageSize ??= Math.min(Math.max(1, items.length), LARGEST_PAGE);
    }
    return this.#readPages(scope, command, params);
  }

  /**
   * A count that falls while pages are read tells that an item went, and that those behind it slid onto pages already
   * read. (One that goes while another comes is not seen: absence from a list of several pages proves nothing.)
   */
  async #readPages<P, T>(scope: Scope, command: ListCommand<P, T>, params: Params): Promise<Reading<T>> {
    const seen = new Map<string, T>();
    let highest = 0;
    for (let page = 1; ; page++) {
      const pageSize = this.#pageSize ?? LARGEST_PAGE;
      const answer = await this.#page(scope, command, { ...params, page, pageSize }).catch((error: unknown) =>
        this.#adoptSmallerPages(error, pageSize),
      );
      if (!answer) return this.#readPages(scope, command, params);
      for (const item of answer.items) seen.set(command.identify(item), item);
      highest = Math.max(highest, answer.count);
      // A page that repeats what is known is no end: an item that came in front pushed the others back.
      if (seen.size >= answer.count || answer.items.length === 0 || page * pageSize >= highest) {
        return { items: [...seen.values()], count: highest, complete: seen.size >= highest };
      }
    }
  }

  /** The limit was lowered while we run. Any other error is thrown on. */
  #adoptSmallerPages(error: unknown, asked: number): undefined {
    const text = error instanceof InvalidParameterError ? error.text : '';
    const limit = Number(/max allowed page size value: (\d+)/.exec(text)?.[1]);
    if (!(limit >= 1 && limit < asked)) throw error;
    this.#pageSize = limit;
  }

  async #page<P, T>(scope: Scope, command: ListCommand<P, T>, params: Params): Promise<Page<T>> {
    const content = await this.#dispatch(scope, { command: command.command, params, writes: false });
    const record = asRecord(content, command.command);
    const path = `${command.command}.${command.items}`;
    const items = record[command.items] === undefined ? [] : list(command.decode)(record[command.items], path);
    return { items, count: readCount(record['count'] ?? items.length, command.command) };
  }
}

function readCount(value: unknown, command: string): number {
  const count = Number(value);
  if (!Number.isInteger(count)) throw new DecodeError(`${command}.count`, 'should be a whole number');
  return count;
}
