import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from './api-error.ts';
import { errorContent, serialise } from './envelope.ts';

test('leaves out what is undefined, and keeps what is empty', () => {
  const text = serialise('json', 'listresponse', { name: '', tags: [], gone: undefined }, '4.20.0.0');
  assert.equal(text, '{"listresponse":{"name":"","tags":[]}}');
});

test('writes lists in XML one item after the other, and empty ones not at all', () => {
  const text = serialise('xml', 'r', { count: 2, zone: [{ id: 'a' }, { id: 'b' }], tags: [] }, '4.20.0.0');
  assert.equal(
    text,
    '<?xml version="1.0" encoding="UTF-8"?><r cloud-stack-version="4.20.0.0"><count>2</count><zone><id>a</id></zone><zone><id>b</id></zone></r>',
  );
});

test('escapes text in XML', () => {
  assert.match(serialise('xml', 'r', { name: `<a & "b">` }, '4'), /<name>&lt;a &amp; &quot;b&quot;&gt;<\/name>/);
});

test('writes the serial number of a named object exactly, though no number of JavaScript can hold it', () => {
  const uuids = [{ uuid: 'u', description: 'zoneId' }];
  const text = serialise('json', 'r', errorContent(new ApiError('no', { status: 531, reason: 4365, uuids })), '4');
  assert.equal(
    text,
    '{"r":{"uuidList":[{"serialVersionUID":-7514266713085362352,"uuid":"u","description":"zoneId"}],"errorcode":531,"cserrorcode":4365,"errortext":"no"}}',
  );
});
