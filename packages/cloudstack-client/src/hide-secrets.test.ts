import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hideSecrets } from './hide-secrets.ts';

test('a secret is hidden as it is, in a URL and in lower case', () => {
  const text = 'GET /client/api?apikey=Ke%2Fy%3D&x=ke%2fy%3d was refused for Ke/y= (ke/y=)';
  const hidden = 'GET /client/api?apikey=<redacted>&x=<redacted> was refused for <redacted> (<redacted>)';
  assert.equal(hideSecrets(text, ['Ke/y=']), hidden);
});

test('what holds no secret stays as it is, and an empty secret hides nothing', () => {
  assert.equal(hideSecrets('Unable to find the machine', ['Ke/y=', '']), 'Unable to find the machine');
});

test('what a URL calls a signature is hidden, whoever signed', () => {
  assert.equal(hideSecrets('blocked: /api?id=1&signature=ab%3D of', []), 'blocked: /api?id=1&signature=<redacted> of');
});
