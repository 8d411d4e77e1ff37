import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Bindings } from './bindings.ts';
import { Comparison } from './comparison.ts';
import { report } from './contract.ts';
import type { Recording } from './recordings.ts';
import { parseXml } from './xml.ts';

const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** What a comparison finds, with ids that stand for each other already. */
function differences(recorded: unknown, simulated: unknown, bindings = new Bindings()): readonly string[] {
  const comparison = new Comparison(bindings);
  comparison.compare(recorded, simulated);
  return comparison.differences;
}

const same = (recorded: unknown, simulated: unknown, bindings?: Bindings): void =>
  assert.deepEqual(differences(recorded, simulated, bindings), []);

const different = (recorded: unknown, simulated: unknown, bindings?: Bindings): void =>
  assert.notDeepEqual(differences(recorded, simulated, bindings), []);

describe('the comparison of a recorded answer with a simulated one', () => {
  it('lets one id stand for another, always for the same', () => {
    const bindings = new Bindings();
    same({ id: uuid(1) }, { id: uuid(7) }, bindings);
    same({ id: uuid(1) }, { id: uuid(7) }, bindings);
    different({ id: uuid(1) }, { id: uuid(8) }, bindings);
    different({ id: uuid(2) }, { id: uuid(7) }, bindings);
  });

  it('finds missing, additional and differently typed fields', () => {
    assert.deepEqual(differences({ a: 1, b: 2 }, { a: 1 }), ['$.b: missing (2 was recorded)']);
    assert.deepEqual(differences({ a: 1 }, { a: 1, b: 2 }), ['$.b: not recorded (2)']);
    different({ a: 1 }, { a: '1' });
    different({ a: {} }, { a: [] });
  });

  it('minds the order of fields for id and jobid only', () => {
    same({ a: 1, b: 2 }, { b: 2, a: 1 });
    different({ r: { id: uuid(1), jobid: uuid(2) } }, { r: { jobid: uuid(12), id: uuid(11) } });
  });

  it('takes any date for a date, and nothing else', () => {
    same({ created: '2026-11-30T22:07:35+0000' }, { created: '2024-01-01T00:00:00+0000' });
    different({ created: '2026-11-30T22:07:35+0000' }, { created: '2024-01-01T00:00:00Z' });
  });

  it('minds the order of lists, but not that of sets', () => {
    const bindings = new Bindings();
    const [one, two] = [{ id: uuid(1) }, { id: uuid(2) }];
    same({ zone: [one, two] }, { zone: [{ id: uuid(11) }, { id: uuid(12) }] }, bindings);
    assert.deepEqual(differences({ zone: [one, two] }, { zone: [{ id: uuid(12) }, { id: uuid(11) }] }, bindings), [
      '$.zone: in another order',
    ]);
    same({ service: [{ name: 'Lb' }, { name: 'Dns' }] }, { service: [{ name: 'Dns' }, { name: 'Lb' }] });
  });

  it('tells which item is missing and which is too many', () => {
    const bindings = new Bindings();
    same({ id: uuid(1) }, { id: uuid(11) }, bindings);
    same({ id: uuid(2) }, { id: uuid(12) }, bindings);
    const found = differences({ zone: [{ id: uuid(1) }] }, { zone: [{ id: uuid(12) }] }, bindings);
    assert.equal(found.length, 2);
    assert.match(String(found[0]), /^\$\.zone\[0\]: missing/);
    assert.match(String(found[1]), /^\$\.zone\[1\]: not recorded/);
  });

  it('lets public addresses stand for each other, and guest addresses within one machine', () => {
    const bindings = new Bindings();
    const address = (id: number, ipaddress: string): object => ({ publicipaddress: [{ id: uuid(id), ipaddress }] });
    same(address(1, '203.0.113.1'), address(11, '203.0.113.9'), bindings);
    different(address(2, '203.0.113.1'), address(12, '203.0.113.8'), bindings);
    const machine = (id: number, ipaddress: string): object => ({
      virtualmachine: [{ id: uuid(id), displayname: 'x', ipaddress }],
    });
    same(machine(3, '10.1.1.5'), machine(13, '10.1.1.2'), bindings);
    same(machine(4, '10.1.1.5'), machine(14, '10.1.1.7'), bindings);
    different(machine(3, '10.1.1.5'), machine(13, '10.1.1.3'), bindings);
  });

  it('compares texts word for word, apart from ids, row numbers and random account ids', () => {
    const bindings = new Bindings();
    const rule = (number: number): object => ({
      errortext: `The range specified, 80-80, conflicts with rule ${number} which`,
    });
    same(rule(4), rule(9), bindings);
    different(rule(4), rule(8), bindings);
    different({ errortext: 'port 80' }, { errortext: 'port 81' });
    different({ errortext: 'a text' }, { errortext: 'another text' });
    const denied = (id: string): object => ({
      errortext: `Account [{"accountName":"k8s","id":4,"uuid":"${id}"}] does not`,
    });
    same(denied(uuid(1)), denied(uuid(2)), bindings);
    same(denied(uuid(1)), denied(uuid(3)), bindings);
  });

  it('leaves out what depends on the machine or on the moment', () => {
    same({ heapmemoryused: 1, nic: [] }, { heapmemoryused: 2, nic: [], cpuused: '10%' });
    different({ heapmemoryused: 1 }, { heapmemoryused: '1' });
  });

  it('compares only the items that were kept of a list that was cut', () => {
    const cut = { _cut: '1 of 2 items kept', networkoffering: [{ name: 'a' }] };
    same(cut, { networkoffering: [{ name: 'b' }, { name: 'a' }] });
    different(cut, { networkoffering: [{ name: 'b' }] });
  });

  it('reads XML as it reads JSON', () => {
    const xml = (id: string): string =>
      `<?xml version="1.0" encoding="UTF-8"?><r cloud-stack-version="4.20"><zone><id>${id}</id></zone><zone><id>x</id></zone></r>`;
    assert.deepEqual(parseXml(xml('a &amp; b')), {
      r: { zone: [{ id: 'a & b' }, { id: 'x' }] },
      'r attributes': ' cloud-stack-version="4.20"',
    });
    same(parseXml(xml(uuid(1))), parseXml(xml(uuid(2))));
  });
});

describe('the verdict of a contract run', () => {
  const recording = (name: string): Recording => ({
    name,
    seq: 1,
    command: 'listZones',
    caller: 'user',
    method: 'GET',
    request: {},
    raw: false,
    path: '/client/api',
    status: 200,
  });
  const outcome = (name: string, ...found: string[]) => ({
    recording: recording(name),
    differences: found,
    answered: true,
  });

  it('counts, and passes what is equal or known to differ', () => {
    const { faults, summary } = report([outcome('a/equal'), outcome('a/known', 'differs')], { 'a/known': 'a reason' });
    assert.deepEqual(faults, []);
    assert.equal(summary, '2 fixtures replayed, 1 equal, 1 known differences');
  });

  it('fails for an unlisted difference, for a listed one that is equal, and for a case without an answer', () => {
    const silent = { ...outcome('a/silent', 'no answer: reset'), answered: false };
    const { faults } = report([outcome('a/new', 'differs'), outcome('a/healed'), silent], {
      'a/healed': 'a reason',
      'a/silent': 'a reason',
    });
    assert.deepEqual(faults, [
      'a/new (1): differs',
      'a/healed (1): is equal now, take it off the list of known differences',
      'a/silent (1): no answer: reset',
    ]);
  });

  it('fails for a known difference that is no case at all', () => {
    const { faults } = report([outcome('a/equal')], { 'a/typo': 'a reason' });
    assert.deepEqual(faults, ['a/typo: is on the list of known differences, and was not replayed']);
  });
});
