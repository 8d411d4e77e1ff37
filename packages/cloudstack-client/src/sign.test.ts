import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '@cloudstack-ccm/base';
import { signature, signedForm, stringToSign } from './sign.ts';

/** The vectors come from CloudStack's documentation (the first) and from its server code. */
const VECTORS = [
  {
    secret: 'VDaACYb0LV9eNjTetIOElcVQkvJck_J_QljX_FcHRj87ZKiy0z0ty0ZsYBkoXkY9b7eq1EhwJaw7FF3akA3KBQ',
    params: {
      command: 'listUsers',
      response: 'json',
      apikey: 'plgWJfZK4gyS3mOMTVmjUVg-X-jlWlnfaUJ9GAbBbf9EdM-kAYMmAiLqzzq1ElZLYq_u38zCm0bewzGUdP66mg',
    },
    text: 'apikey=plgwjfzk4gys3momtvmjuvg-x-jlwlnfauj9gabbbf9edm-kaymmailqzzq1elzlyq_u38zcm0bewzgudp66mg&command=listusers&response=json',
    signature: 'TTpdDq/7j/J58XCRHomKoQXEQds=',
  },
  {
    secret: 'SECRET',
    params: {
      apiKey: 'KEY',
      command: 'createTags',
      expires: '2030-01-02T03:04:05Z',
      resourceids: 'a1,b2',
      resourcetype: 'PublicIpAddress',
      response: 'json',
      signatureversion: '3',
      'tags[0].key': 'k8s cluster',
      'tags[0].value': "ns/svc+1*~!'()",
    },
    text: 'apikey=key&command=createtags&expires=2030-01-02t03%3a04%3a05z&resourceids=a1%2cb2&resourcetype=publicipaddress&response=json&signatureversion=3&tags[0].key=k8s%20cluster&tags[0].value=ns%2fsvc%2b1*%7e%21%27%28%29',
    signature: 'vAoB3Ds0Dum7NDDtx6b59v8o7rg=',
  },
  {
    secret: 'SECRET',
    params: { Zone: 'Ä', apiKey: 'KEY', command: 'listZones', name: 'Zürich–1', response: 'json' },
    text: 'zone=%c3%84&apikey=key&command=listzones&name=z%c3%bcrich%e2%80%931&response=json',
    signature: 'SPkcI1qn7KI2gUdbObJjym7jYMw=',
  },
];

for (const [index, vector] of VECTORS.entries()) {
  test(`signs as CloudStack does, vector ${index + 1}`, () => {
    const text = stringToSign(new Map(Object.entries(vector.params)));
    assert.equal(text, vector.text);
    assert.equal(signature(text, new Secret(vector.secret)), vector.signature);
  });
}

const CREDENTIALS = { apiKey: new Secret('KEY'), secretKey: new Secret('SECRET') };

test('a signed form expires ten minutes later, in UTC, without fractions of a second', () => {
  const form = signedForm('listZones', new Map(), CREDENTIALS, Date.UTC(2030, 0, 2, 2, 54, 5, 678));
  const fields = new URLSearchParams(form);
  assert.equal(fields.get('signatureversion'), '3');
  assert.equal(fields.get('expires'), '2030-01-02T03:04:05Z');
});

test('a signed form carries the names that must be lower case in lower case, and its own signature', () => {
  const form = signedForm('createTags', new Map([['tags[0].key', "a b+c'"]]), CREDENTIALS, 0);
  const fields = new URLSearchParams(form);
  const signed = fields.get('signature');
  fields.delete('signature');
  assert.equal(fields.get('command'), 'createTags');
  assert.equal(fields.get('response'), 'json');
  assert.equal(fields.get('tags[0].key'), "a b+c'");
  assert.equal(signed, signature(stringToSign(new Map(fields)), CREDENTIALS.secretKey));
  assert.match(form, /tags%5B0%5D\.key=a%20b%2Bc%27/);
  assert.match(form, /signature=[A-Za-z0-9%]+$/, 'the signature itself is encoded');
});
