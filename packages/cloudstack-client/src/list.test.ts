import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scope } from '@cloudstack-ccm/base';
import type { Call, Dispatch } from './call.ts';
import { byId, listCommand } from './commands/command.ts';
import { object } from './decode.ts';
import { apiError, CloudStackApiError, IncompleteListError } from './errors.ts';
import { ListReader } from './list.ts';
import type { Params } from './params.ts';

interface Thing {
  readonly id: string;
}

const LISTING = {
  command: 'listThings',
  items: 'thing',
  decode: object<Thing>((fields) => ({ id: fields.text('id') })),
  identify: byId,
};
const things = listCommand<Params, Thing>({ ...LISTING, exactCount: true });
const looseThings = listCommand<Params, Thing>(LISTING);
const unpagedThings = listCommand<Params, Thing>({ ...LISTING, paged: false });

const ids = (count: number, first = 1): string[] => Array.from({ length: count }, (_, index) => `t${first + index}`);

/** A server with things, that pages as CloudStack does. `before` may change it before each answer. */
class Server {
  readonly calls: Call[] = [];
  things: string[];
  limit: number;
  count: number | undefined;
  before: (call: number) => void = () => undefined;

  constructor(things: string[], limit: number) {
    this.things = things;
    this.limit = limit;
  }

  readonly dispatch: Dispatch = async (_scope, call) => {
    this.calls.push(call);
    this.before(this.calls.length);
    const page = Number(call.params['page'] ?? 1);
    const size = Number(call.params['pageSize'] ?? this.limit);
    if (size > this.limit) {
      const text = `Page size can't exceed max allowed page size value: ${this.limit}`;
      throw apiError({ command: call.command, errorCode: 431, csErrorCode: 9999, text, jobId: undefined });
    }
    if (this.things.length === 0) return {};
    const shown = this.things.slice((page - 1) * size, page * size);
    const count = this.count ?? this.things.length;
    return shown.length === 0 ? { count } : { count, thing: shown.map((id) => ({ id })) };
  };

  read(command = things, reader = new ListReader(this.dispatch)): Promise<readonly Thing[]> {
    return reader.read(Scope.root(), command, { keyword: 'x' });
  }

  get asked(): readonly string[] {
    const text = (value: unknown): string => (typeof value === 'number' ? String(value) : '-');
    return this.calls.map(({ params }) => `${text(params['page'])}/${text(params['pageSize'])}`);
  }
}

const namesOf = (items: readonly Thing[]): readonly string[] => items.map(({ id }) => id);

test('takes a list that fits into one answer with one call', async () => {
  const server = new Server(ids(7), 500);
  assert.deepEqual(namesOf(await server.read()), ids(7));
  assert.deepEqual(server.asked, ['-/-']);
});

test('reads an empty list, which CloudStack writes as an empty object', async () => {
  assert.deepEqual(await new Server([], 500).read(), []);
});

test('reads a long list page by page, from page 1, and never asks for more than the server allows', async () => {
  const server = new Server(ids(1203), 500);
  assert.deepEqual(namesOf(await server.read()), ids(1203));
  assert.deepEqual(server.asked, ['-/-', '1/500', '2/500', '3/500']);
});

test('reads completely from a server whose pages hold one item', async () => {
  const server = new Server(ids(40), 1);
  assert.deepEqual(namesOf(await server.read()), ids(40));
  assert.ok(server.calls.every(({ params }) => (params['pageSize'] ?? 1) === 1));
});

test('remembers the limit, so that the next long list costs no extra call', async () => {
  const server = new Server(ids(1203), 500);
  const reader = new ListReader(server.dispatch);
  await server.read(things, reader);
  server.calls.length = 0;
  await server.read(things, reader);
  assert.deepEqual(server.asked, ['1/500', '2/500', '3/500']);
});

test('sends its filter with every page', async () => {
  const server = new Server(ids(3), 2);
  await server.read();
  assert.ok(server.calls.every(({ params }) => params['keyword'] === 'x'));
});

test('adopts a limit that an administrator lowers while we run', async () => {
  const server = new Server(ids(9), 4);
  server.before = (call) => {
    if (call === 3) server.limit = 2;
  };
  assert.deepEqual(namesOf(await server.read()), ids(9));
});

test('passes on any other refusal', async () => {
  const refuse: Dispatch = async () => {
    throw apiError({ command: 'x', errorCode: 431, csErrorCode: 0, text: 'no', jobId: undefined });
  };
  await assert.rejects(new ListReader(refuse).read(Scope.root(), things, {}), CloudStackApiError);
});

test('takes an item once that slid onto the next page', async () => {
  const server = new Server(ids(4), 2);
  server.before = (call) => {
    if (call === 3) server.things = ['new', ...ids(4)];
  };
  assert.deepEqual([...namesOf(await server.read())].sort(), ['new', ...ids(4)].sort());
});

test('does not end at a page that holds nothing new, since an item came in front', async () => {
  const server = new Server(ids(6), 1);
  server.before = (call) => {
    // The item of page 3 is now on page 4, and one of those read already is on page 3.
    if (call === 4) server.things = ['new', ...ids(6)];
  };
  assert.deepEqual([...namesOf(await server.read())].sort(), ['new', ...ids(6)].sort());
  assert.ok(server.calls.length <= 1 + 7 + 7, `${server.calls.length} calls`);
});

test('reads again when an item slid from a later page onto one already read', async () => {
  const server = new Server(ids(5), 2);
  server.before = (call) => {
    // t1 goes after page 1 was read: t3 slides onto page 1.
    if (call === 3) server.things = ['t2', 't3', 't4', 't5'];
  };
  assert.deepEqual(namesOf(await server.read()), ['t2', 't3', 't4', 't5']);
});

test('says that a list is incomplete rather than give a part of it', async () => {
  const server = new Server(ids(3), 500);
  server.count = 5;
  await assert.rejects(server.read(), IncompleteListError);
});

test('believes two equal readings where the server is known to count wrongly', async () => {
  const server = new Server(ids(3), 500);
  server.count = 5;
  assert.deepEqual(namesOf(await server.read(looseThings)), ids(3));
});

test('ends when a server gives the same page for ever', async () => {
  const dispatch: Dispatch = async () => ({ count: 9, thing: [{ id: 'a' }, { id: 'b' }] });
  await assert.rejects(new ListReader(dispatch).read(Scope.root(), things, {}), IncompleteListError);
});

test('does not page where CloudStack ignores paging', async () => {
  const server = new Server(ids(600), 500);
  server.limit = 600;
  assert.equal((await server.read(unpagedThings)).length, 600);
  assert.deepEqual(server.asked, ['-/-']);
});

test('reads only the beginning where any item will do', async () => {
  const server = new Server(ids(2000), 500);
  const reader = new ListReader(server.dispatch);
  const some = await reader.readSome(Scope.root(), things, { keyword: 'x' }, 50);
  assert.deepEqual(
    some.map(({ id }) => id),
    ids(50),
  );
  assert.equal(server.calls.length, 1);
});

test('reads a smaller beginning from a server that allows no more', async () => {
  const server = new Server(ids(20), 10);
  const some = await new ListReader(server.dispatch).readSome(Scope.root(), things, {}, 50);
  assert.deepEqual(
    some.map(({ id }) => id),
    ids(10),
  );
});
