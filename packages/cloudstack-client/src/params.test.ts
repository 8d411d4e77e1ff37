import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInputError, Secret } from '@cloudstack-ccm/base';
import { toWire } from './params.ts';

test('writes names in lower case and values as text, and leaves out what is undefined', () => {
  const wire = toWire({ publicIpId: 'ip-1', publicPort: 80, openFirewall: false, description: undefined });
  assert.deepEqual(
    [...wire],
    [
      ['publicipid', 'ip-1'],
      ['publicport', '80'],
      ['openfirewall', 'false'],
    ],
  );
});

test('joins lists with commas, and sends an empty list as an empty value', () => {
  assert.deepEqual(
    [...toWire({ cidrList: ['10.0.0.0/8', '192.0.2.0/24'], ids: [] })],
    [
      ['cidrlist', '10.0.0.0/8,192.0.2.0/24'],
      ['ids', ''],
    ],
  );
});

test('writes maps with an index for each entry', () => {
  const wire = toWire({
    tags: [
      { key: 'a', value: '1' },
      { key: 'b', value: '' },
    ],
  });
  assert.deepEqual(
    [...wire],
    [
      ['tags[0].key', 'a'],
      ['tags[0].value', '1'],
      ['tags[1].key', 'b'],
      ['tags[1].value', ''],
    ],
  );
});

test('refuses a list element with a comma, which CloudStack would take for two', () => {
  assert.throws(() => toWire({ cidrList: ['10.0.0.0/8,0.0.0.0/0'] }), InvalidInputError);
});

test('reveals a secret on the wire only', () => {
  const params = { privateKey: new Secret('PEM') };
  assert.equal(toWire(params).get('privatekey'), 'PEM');
  assert.doesNotMatch(JSON.stringify(params), /PEM/);
});
