import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PREFIX } from '../load-balancer/annotations/annotations.ts';
import {
  EMPTY_RECORD,
  eraseRecord,
  isRecorded,
  parseTime,
  readRecord,
  withHolding,
  withIntent,
  writeRecord,
  type AddressRecord,
  type Holding,
} from './record.ts';
import { RecordBook, RecordMemory } from './record-book.ts';

const HELD: Holding = { state: 'held', id: 'ip-1', address: '203.0.113.1', origin: 'controller', allocated: 1000 };
const INTENT = { state: 'associating', id: 'ip-2', address: '203.0.113.2', networkId: 'n', vpcId: undefined } as const;

function stored(record: AddressRecord): Readonly<Record<string, string>> {
  const entries = Object.entries(writeRecord(record));
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

describe('the record of addresses', () => {
  it('is read as it was written', () => {
    const full: AddressRecord = {
      revision: 7,
      claims: [
        { ...HELD, origin: 'user', allocated: undefined },
        HELD,
        { ...INTENT, vpcId: 'vpc-1' },
        { state: 'associating-any', networkId: 'n', vpcId: undefined, known: ['a', 'b'] },
      ],
      marks: false,
      openings: ['fw-1'],
      openedFor: ['tcp 80 0.0.0.0/0', 'tcp 80 10.0.0.0/8,192.0.2.0/24'],
      foreignOpenings: ['fw-2'],
      stickiness: true,
      adopting: true,
      inheritedRanges: '192.0.2.0/24',
    };
    assert.deepEqual(readRecord(stored(full)), full);
    assert.deepEqual(readRecord(stored(EMPTY_RECORD)), EMPTY_RECORD);
  });

  it('is none when somebody has made it unreadable, and drops claims that are none', () => {
    const name = `${PREFIX}address-record`;
    for (const text of ['', '{', '[]', '{"claims":7}']) assert.equal(readRecord({ [name]: text }), undefined, text);
    const odd = '{"claims":[7,{"state":"held"},{"state":"lost","id":"a","address":"b"}]}';
    assert.deepEqual(readRecord({ [name]: odd })?.claims, []);
  });

  it('tells the Go CCM that the address is ours, and only then', () => {
    const taken = `${PREFIX}ip-associated-by-controller`;
    assert.equal(writeRecord({ ...EMPTY_RECORD, claims: [HELD] })[taken], 'true');
    assert.equal(
      writeRecord({ ...EMPTY_RECORD, claims: [HELD, { ...HELD, id: 'ip-3', origin: 'user' }] })[taken],
      null,
    );
    assert.equal(writeRecord({ ...EMPTY_RECORD, claims: [INTENT] })[taken], null);
  });

  it('settles what was intended with what is held', () => {
    const intended = withIntent({ ...EMPTY_RECORD, claims: [HELD] }, INTENT);
    assert.deepEqual(intended.claims, [HELD, INTENT]);
    assert.deepEqual(withIntent(intended, { ...INTENT, id: 'ip-4' }).claims.length, 2, 'one intent at a time');
    const taken = { ...HELD, id: 'ip-2' };
    assert.deepEqual(withHolding(intended, taken).claims, [HELD, taken]);
    assert.deepEqual(withHolding(withHolding(intended, taken), HELD).claims, [taken, HELD]);
  });

  it('goes without a trace of what the controller wrote', () => {
    const annotations = {
      ...stored({ ...EMPTY_RECORD, claims: [HELD] }),
      [`${PREFIX}id`]: 'x',
      [`${PREFIX}keep-ip`]: 'true',
    };
    assert.ok(isRecorded(annotations));
    const erased = eraseRecord(annotations, false);
    assert.deepEqual(
      new Set(Object.keys(erased).map((name) => name.slice(PREFIX.length))),
      new Set(['address-record', 'ip-associated-by-controller', 'id']),
    );
    assert.deepEqual(eraseRecord({}, false), {});
    assert.equal(Object.keys(eraseRecord({}, true)).length, 2, 'what the Service may not show yet');
  });

  it('reads CloudStack’s times in whatever zone the server writes them', () => {
    assert.equal(parseTime('2026-11-30T22:20:31+0000'), Date.UTC(2026, 10, 30, 22, 20, 31));
    assert.equal(parseTime('2026-11-30T23:20:31+0100'), Date.UTC(2026, 10, 30, 22, 20, 31));
    assert.equal(parseTime(undefined), undefined);
    assert.equal(parseTime('yesterday'), undefined);
  });
});

describe('the book that the record is written into', () => {
  function service(): { readonly uid: string; annotations: Record<string, string>; writes: number } {
    return { uid: 'uid-1', annotations: {}, writes: 0 };
  }

  function bookOf(memory: RecordMemory, target: ReturnType<typeof service>): RecordBook {
    return new RecordBook(memory, target, async (changes) => {
      target.writes++;
      for (const [name, value] of Object.entries(changes)) {
        if (value === null) delete target.annotations[name];
        else target.annotations[name] = value;
      }
    });
  }

  it('writes only what is new', async () => {
    const target = service();
    const book = bookOf(new RecordMemory(), target);
    await book.note({ ...EMPTY_RECORD, claims: [HELD] });
    await book.note({ ...EMPTY_RECORD, claims: [HELD] });
    await bookOf(new RecordMemory(), target).note({ ...EMPTY_RECORD, claims: [HELD] });
    assert.equal(target.writes, 1);
  });

  it('remembers what a Service that is read too early does not show yet', async () => {
    const memory = new RecordMemory();
    const target = service();
    await bookOf(memory, target).note({ ...EMPTY_RECORD, claims: [INTENT] });
    const early = { ...target, annotations: { ...target.annotations } };
    await bookOf(memory, target).note({ ...EMPTY_RECORD, claims: [HELD] });
    assert.deepEqual(bookOf(memory, early).record?.claims, [HELD]);
    assert.deepEqual(bookOf(memory, service()).record?.claims, [HELD]);
    assert.deepEqual(bookOf(new RecordMemory(), early).record?.claims, [INTENT]);
  });

  it('believes the Service when that is newer: another process may have written', async () => {
    const memory = new RecordMemory();
    const target = service();
    await bookOf(memory, target).note({ ...EMPTY_RECORD, claims: [INTENT] });
    await bookOf(new RecordMemory(), target).note({ ...EMPTY_RECORD, claims: [HELD] });
    assert.deepEqual(bookOf(memory, target).record?.claims, [HELD]);
  });

  it('writes again what somebody took off the Service', async () => {
    const memory = new RecordMemory();
    const target = service();
    await bookOf(memory, target).note({ ...EMPTY_RECORD, claims: [HELD] });
    target.annotations = {};
    await bookOf(memory, target).note({ ...EMPTY_RECORD, claims: [HELD] });
    assert.deepEqual(readRecord(target.annotations)?.claims, [HELD]);
  });

  it('keeps nothing when a write fails, and nothing of a Service that is gone', async () => {
    const memory = new RecordMemory();
    const target = service();
    const failing = new RecordBook(memory, target, () => Promise.reject(new Error('away')));
    await assert.rejects(failing.note({ ...EMPTY_RECORD, claims: [HELD] }), /away/);
    assert.equal(failing.record, undefined);
    const book = bookOf(memory, target);
    await book.note({ ...EMPTY_RECORD, claims: [HELD] });
    assert.equal(memory.size, 1);
    await book.erase();
    assert.deepEqual([target.annotations, memory.size, book.record], [{}, 0, undefined]);
    await book.erase();
    assert.equal(target.writes, 2, 'there was nothing left to erase');
  });
});
