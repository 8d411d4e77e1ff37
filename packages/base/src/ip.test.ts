import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cidrContains, parseCidr, parseIp } from './ip.ts';

test('two spellings of one address are equal', () => {
  assert.equal(parseIp('2001:DB8:0::1')?.text, parseIp('2001:db8::1')?.text);
  assert.deepEqual(parseIp('::ffff:192.0.2.1'), { family: 4, text: '192.0.2.1' });
});

for (const text of [
  '',
  '10.1',
  '010.0.0.1',
  '0x7f.0.0.1',
  '1.2.3.4.5',
  '256.0.0.1',
  'fe80::1%eth0',
  ' 10.0.0.1',
  '1',
]) {
  test(`${JSON.stringify(text)} is no address, as in Go`, () => {
    assert.equal(parseIp(text), undefined);
  });
}

test('a CIDR is its network: host bits do not count', () => {
  assert.equal(parseCidr('10.1.2.3/8')?.text, '10.0.0.0/8');
  assert.equal(parseCidr('10.1.2.3/9')?.text, '10.0.0.0/9');
  assert.equal(parseCidr('2001:db8::1/33')?.text, '2001:db8::/33');
  assert.equal(parseCidr('0.0.0.0/0')?.text, '0.0.0.0/0');
});

for (const text of [
  '10.0.0.0',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/08',
  '10.0.0/8',
  '10.0.0.0/8/8',
  '::/129',
  'a/8',
]) {
  test(`${JSON.stringify(text)} is no CIDR, as in Go`, () => {
    assert.equal(parseCidr(text), undefined);
  });
}

test('an address lies in its own network whatever the prefix length, and not in its neighbour', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 1, max: 32 }), (text, length) => {
      const [cidr, address] = [parseCidr(`${text}/${length}`), parseIp(text)];
      assert.ok(cidr && address);
      assert.equal(cidrContains(cidr, address), true);
      const flipped = (Number(text.split('.')[0]) ^ 0x80).toString();
      const other = parseIp(text.replace(/^\d+/, flipped));
      assert.ok(other);
      assert.equal(cidrContains(cidr, other), false);
    }),
  );
});

test('families do not mix', () => {
  const [all, address] = [parseCidr('0.0.0.0/0'), parseIp('::1')];
  assert.ok(all && address);
  assert.equal(cidrContains(all, address), false);
});
