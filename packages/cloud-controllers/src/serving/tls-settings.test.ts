import assert from 'node:assert/strict';
import { createSecureContext } from 'node:tls';
import { test } from 'node:test';

import { ServingError } from '../errors.ts';
import { tlsSettings } from './tls-settings.ts';

const settings = (flags: Partial<Parameters<typeof tlsSettings>[0]>) =>
  tlsSettings({ tlsCipherSuites: [], tlsCurves: [], tlsMinVersion: '', ...flags });

const refuses = (flags: Parameters<typeof settings>[0], message: string): void =>
  assert.throws(
    () => settings(flags),
    (error) => error instanceof ServingError && error.message === message,
  );

test('Without flags TLS 1.2 is the least, and Node’s own suites are used', () => {
  assert.deepEqual(settings({}), { minVersion: 'TLSv1.2' });
});

test('Flags name versions, suites and curves as Go does, and OpenSSL takes what comes out', () => {
  const all = settings({
    tlsMinVersion: 'VersionTLS13',
    tlsCipherSuites: ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'TLS_AES_128_GCM_SHA256'],
    tlsCurves: [29, 23],
  });
  assert.equal(all.minVersion, 'TLSv1.3');
  assert.equal(all.ecdhCurve, 'X25519:P-256');
  assert.match(all.ciphers ?? '', /ECDHE-RSA-AES128-GCM-SHA256/);
  createSecureContext(all);
});

test('What is not known is refused by name', () => {
  refuses({ tlsMinVersion: 'TLS12' }, 'unknown tls version "TLS12"');
  refuses({ tlsCipherSuites: ['TLS_FOO'] }, "Cipher suite TLS_FOO not supported or doesn't exist");
  refuses({ tlsCurves: [1] }, 'curve 1 of --tls-curve-preferences is not supported');
});
