import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { test } from 'node:test';

import { ask } from '../testing/https.ts';
import { selfSignedCertificate } from './self-signed-certificate.ts';

const NOW = Date.UTC(2026, 5, 1);

test('A self-signed certificate is well-formed, its own authority, and good for a year', () => {
  const { certificate } = selfSignedCertificate(NOW, ['10.1.2.3', 'fd00::1:2', 'ccm.example']);
  const parsed = new X509Certificate(certificate);
  assert.ok(parsed.verify(parsed.publicKey));
  assert.ok(parsed.checkIssued(parsed));
  assert.equal(parsed.ca, true);
  assert.equal(parsed.subject, `CN=localhost@${NOW / 1000}`);
  assert.equal(
    parsed.subjectAltName,
    'DNS:localhost, IP Address:127.0.0.1, IP Address:10.1.2.3, IP Address:FD00:0:0:0:0:0:1:2, DNS:ccm.example',
  );
  assert.equal(parsed.validFromDate.getTime(), NOW - 3_600_000);
  assert.equal(parsed.validToDate.getTime(), NOW + 365 * 24 * 3_600_000);
  assert.deepEqual(parsed.keyUsage, ['1.3.6.1.5.5.7.3.1']);
});

test('A certificate that ends after 2049 is well-formed too', () => {
  const parsed = new X509Certificate(selfSignedCertificate(Date.UTC(2049, 5, 1)).certificate);
  assert.equal(parsed.validToDate.getUTCFullYear(), 2050);
});

test('A client that trusts the certificate can talk to a server that uses it', async () => {
  const { certificate, key } = selfSignedCertificate(Date.now());
  const server = createServer({ cert: certificate, key }, (_request, response) => response.end('hello'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  try {
    const trusting = { ca: certificate, rejectUnauthorized: true };
    assert.equal((await ask(port, '/', trusting)).body, 'hello');
    assert.equal((await ask(port, '/', { ...trusting, host: 'localhost' })).body, 'hello');
    await assert.rejects(ask(port, '/', { rejectUnauthorized: true }), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  } finally {
    server.close();
  }
});

test('Two certificates differ in key and serial number', () => {
  const [one, other] = [selfSignedCertificate(NOW), selfSignedCertificate(NOW)];
  assert.notEqual(one.key, other.key);
  assert.notEqual(
    new X509Certificate(one.certificate).serialNumber,
    new X509Certificate(other.certificate).serialNumber,
  );
});
