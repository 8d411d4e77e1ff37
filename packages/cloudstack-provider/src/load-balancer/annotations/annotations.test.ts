import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ANNOTATIONS, nameOf, PREFIX, readAnnotations } from './annotations.ts';
import { isSelected } from './annotation-values.ts';

function read(annotations: Readonly<Record<string, string>>): ReturnType<typeof readAnnotations> {
  return readAnnotations(Object.fromEntries(Object.entries(annotations).map(([key, value]) => [PREFIX + key, value])));
}

describe('annotations', () => {
  it('have their defaults when absent, and when blank', () => {
    const absent = readAnnotations({ 'example.com/other': 'x' });
    assert.deepEqual(absent.problems, []);
    assert.deepEqual(absent.warnings, []);
    assert.equal(absent.settings.proxyProtocol, 'none');
    assert.equal(absent.settings.sourceCidrs, undefined);
    const blank = read({ 'proxy-protocol': ' ', 'source-cidrs': '', hostname: '', address: '' });
    assert.deepEqual(blank.settings, absent.settings);
    assert.deepEqual(blank.problems, []);
  });

  it('take Go’s booleans and yes, no, on, off, in any case', () => {
    for (const word of ['true', 'True', 'T', '1', 'yes', 'ON']) {
      assert.equal(read({ 'keep-ip': word }).settings.keepIp, true, word);
    }
    for (const word of ['false', 'F', '0', 'No', 'off']) assert.equal(read({ 'keep-ip': word }).settings.keepIp, false);
    const { problems } = read({ 'keep-ip': 'enabled' });
    assert.deepEqual(problems, [
      {
        field: `${PREFIX}keep-ip`,
        message: `annotation ${PREFIX}keep-ip: "enabled" is neither "true" nor "false"`,
      },
    ]);
  });

  it('switch the PROXY protocol on for all ports or for some', () => {
    const selected = (text: string): readonly number[] =>
      [1, 80, 443].filter((port) => isSelected(read({ 'proxy-protocol': text }).settings.proxyProtocol, port));
    assert.deepEqual(selected('true'), [1, 80, 443]);
    assert.deepEqual(selected('false'), []);
    assert.deepEqual(selected('80, 443'), [80, 443]);
    assert.deepEqual(selected('1'), [1]);
    assert.equal(read({ 'proxy-protocol': '80,https' }).problems.length, 1);
    assert.equal(read({ 'proxy-protocol': '70000' }).problems.length, 1);
  });

  it('read CIDR lists as strictly as the Go CCM, and name the entry that is none', () => {
    assert.deepEqual(read({ 'source-cidrs': ' 10.0.0.1/8 ,192.0.2.0/24' }).settings.sourceCidrs, [
      '10.0.0.0/8',
      '192.0.2.0/24',
    ]);
    for (const entry of ['intern', '192.0.2.1', '']) {
      const { problems } = read({ 'source-cidrs': `10.0.0.0/8,${entry}` });
      assert.match(problems[0]?.message ?? '', new RegExp(`source-cidrs: invalid CIDR "${entry}"`));
    }
  });

  it('refuse what the API server would refuse in a status', () => {
    assert.equal(read({ hostname: 'lb.example.com' }).settings.hostname, 'lb.example.com');
    for (const name of ['LB.example.com', '192.0.2.1', 'a..b', '-a', `${'a.'.repeat(127)}toolong`]) {
      assert.equal(read({ hostname: name }).problems.length, 1, name);
    }
  });

  it('take IPv4 addresses only, and words of a list in any case', () => {
    assert.equal(read({ address: '203.0.113.7' }).settings.address, '203.0.113.7');
    assert.equal(read({ address: '2001:db8::1' }).problems.length, 1);
    assert.equal(read({ algorithm: 'LeastConn' }).settings.algorithm, 'leastconn');
    assert.match(read({ algorithm: 'fastest' }).problems[0]?.message ?? '', /roundrobin, leastconn, source/);
    assert.equal(read({ 'ip-mode': 'proxy' }).settings.ipMode, 'Proxy');
  });

  it('that nobody knows are a warning, with the likely name', () => {
    const { warnings, problems } = read({ 'source-cidr': '10.0.0.0/8', frobnicate: 'x' });
    assert.deepEqual(problems, []);
    assert.match(warnings[0]?.message ?? '', new RegExp(`did you mean ${PREFIX}source-cidrs\\?`));
    assert.match(warnings[1]?.message ?? '', /frobnicate: it has no effect/);
  });

  it('have names and descriptions of their own', () => {
    const all = Object.values(ANNOTATIONS);
    assert.equal(new Set(all.map(nameOf)).size, all.length);
    assert.ok(all.every((one) => one.description.endsWith('.') && one.effect !== '' && one.type !== ''));
  });
});
