import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sequence, Table, type Row } from './table.ts';

interface Pet extends Row {
  readonly name: string;
  readonly owners: readonly string[];
  readonly nickname?: string;
}

function pets(): Table<Pet, 'owner'> {
  return new Table<Pet, 'owner'>({ owner: (pet) => pet.owners });
}

test('numbers rows in the order they come', () => {
  const table = pets();
  table.add({ id: 'a', name: 'Ada', owners: [] });
  table.add({ id: 'b', name: 'Bob', owners: [] });
  assert.equal(table.byInternalId(2)?.name, 'Bob');
  assert.deepEqual(
    [...table.values()].map((pet) => pet.internalId),
    [1, 2],
  );
});

test('finds rows by index, oldest first, also after changes', () => {
  const table = pets();
  table.add({ id: 'a', name: 'Ada', owners: ['x'] });
  table.add({ id: 'b', name: 'Bob', owners: ['y'] });
  table.update('b', { owners: ['x', 'y'] });
  table.update('a', { name: 'Ann' });
  assert.deepEqual(
    table.by('owner', 'x').map((pet) => pet.name),
    ['Ann', 'Bob'],
  );
  table.update('a', { owners: [] });
  table.delete('b');
  assert.deepEqual(table.by('owner', 'x'), []);
  assert.deepEqual(table.by('owner', 'y'), []);
});

test('replaces a row as a whole, so that a field can go away', () => {
  const table = pets();
  const { nickname: _, ...bare } = table.add({ id: 'a', name: 'Ada', owners: [], nickname: 'A' });
  table.replace(bare);
  assert.equal(table.get('a')?.nickname, undefined);
  assert.equal(table.size, 1);
});

test('does not bring back a row that is gone', () => {
  const table = pets();
  assert.equal(table.update('a', { name: 'Ghost' }), undefined);
  assert.equal(table.size, 0);
});

test('puts a snapshot back as it was, numbers included', () => {
  const table = pets();
  table.add({ id: 'a', name: 'Ada', owners: ['x'] });
  const snapshot = table.snapshot();
  table.update('a', { name: 'Changed', owners: [] });
  table.add({ id: 'b', name: 'Bob', owners: [] });
  table.restore(snapshot);
  assert.deepEqual(
    table.by('owner', 'x').map((pet) => pet.name),
    ['Ada'],
  );
  assert.equal(table.add({ id: 'c', name: 'Cid', owners: [] }).internalId, 2);
});

test('shares one numbering between tables where it is asked to', () => {
  const sequence = new Sequence();
  const [first, second] = [new Table<Pet>({}, sequence), new Table<Pet>({}, sequence)];
  first.add({ id: 'a', name: 'Ada', owners: [] });
  assert.equal(second.add({ id: 'b', name: 'Bob', owners: [] }).internalId, 2);
});
