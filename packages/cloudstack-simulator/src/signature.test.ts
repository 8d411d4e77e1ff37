import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExpires, sign, verify } from './signature.ts';

const KEY = 'plgWJfZK4gyS3mOMTVmjUVg-X-jlWlnfaUJ9GAbBbf9EdM-kAYMmAiLqzzq1ElZLYq_u38zCm0bewzGUdP66mg';
const SECRET = 'VDaACYb0LV9eNjTetIOElcVQkvJck_J_QljX_FcHRj87ZKiy0z0ty0ZsYBkoXkY9b7eq1EhwJaw7FF3akA3KBQ';

test('signs the request that the CloudStack documentation signs', () => {
  const parameters = new Map([
    ['command', 'listUsers'],
    ['apikey', KEY],
    ['response', 'json'],
  ]);
  assert.equal(sign(parameters, SECRET), 'TTpdDq/7j/J58XCRHomKoQXEQds=');
});

test('encodes as Java does, and leaves brackets in names alone', () => {
  const parameters = new Map([
    ['apiKey', 'KEY'],
    ['command', 'createTags'],
    ['expires', '2030-01-02T03:04:05Z'],
    ['resourceids', 'a1,b2'],
    ['resourcetype', 'PublicIpAddress'],
    ['response', 'json'],
    ['signatureversion', '3'],
    ['tags[0].key', 'k8s cluster'],
    ['tags[0].value', "ns/svc+1*~!'()"],
  ]);
  assert.equal(sign(parameters, 'SECRET'), 'vAoB3Ds0Dum7NDDtx6b59v8o7rg=');
});

test('sorts before it lower-cases', () => {
  const parameters = new Map([
    ['apiKey', 'KEY'],
    ['command', 'listZones'],
    ['name', 'Zürich–1'],
    ['response', 'json'],
    ['Zone', 'Ä'],
  ]);
  assert.equal(sign(parameters, 'SECRET'), 'SPkcI1qn7KI2gUdbObJjym7jYMw=');
});

test('takes only exactly the right signature', () => {
  const parameters = new Map([['command', 'listZones']]);
  const right = sign(parameters, 'SECRET');
  assert.equal(verify(parameters, 'SECRET', right), true);
  assert.equal(verify(parameters, 'SECRET', right.toLowerCase()), false);
  assert.equal(verify(parameters, 'OTHER', right), false);
  assert.equal(verify(parameters, 'SECRET', ''), false);
});

test('reads the dates that the server reads, and no others', () => {
  const second = Date.UTC(2030, 0, 2, 3, 4, 5);
  assert.equal(parseExpires('2030-01-02T03:04:05+0000'), second);
  assert.equal(parseExpires('2030-01-02T03:04:05Z'), second);
  assert.equal(parseExpires('2030-01-02T04:04:05+01:00'), second);
  assert.equal(parseExpires('2030-01-02T03:04:05.123Z'), second + 123);
  for (const bad of ['2030-01-02T03:04:05', '2030-01-02', 'tomorrow', '', undefined]) {
    assert.equal(parseExpires(bad), undefined, `${bad}`);
  }
});
