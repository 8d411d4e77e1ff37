import { StatusError } from './errors.ts';
import type { ListPage, ListPageOptions, ObjectList } from './list-watch.ts';

/**
 * Reads page after page. A continue token that has expired half-way (410) means that the rest of that snapshot is
 * gone: then, as client-go does, everything is asked for again at once, without pages.
 */
export async function listAll<T>(
  page: (options: ListPageOptions) => Promise<ListPage<T>>,
  options: ListPageOptions,
): Promise<ObjectList<T>> {
  const first = await page(options);
  if (first.continueToken === '') return first;
  try {
    return await followPages(page, options, first);
  } catch (thrown) {
    if (!(thrown instanceof StatusError && thrown.isGone)) throw thrown;
    return page({ ...options, limit: 0 });
  }
}

async function followPages<T>(
  page: (options: ListPageOptions) => Promise<ListPage<T>>,
  { resourceVersion: _first, ...options }: ListPageOptions,
  first: ListPage<T>,
): Promise<ObjectList<T>> {
  const items = [...first.items];
  let last = first;
  while (last.continueToken !== '') {
    // The token fixes the version; the server refuses a resourceVersion beside it.
    last = await page({ ...options, continueToken: last.continueToken });
    items.push(...last.items);
  }
  return { items, resourceVersion: last.resourceVersion };
}
