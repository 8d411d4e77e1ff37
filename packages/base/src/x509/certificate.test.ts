import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { issueCertificate, type CertificateRequest } from './certificate.ts';

const validity = { notBefore: new Date('2026-01-01T00:00:00Z'), notAfter: new Date('2050-06-01T00:00:00Z') };

function issued(request: Omit<CertificateRequest, 'notBefore' | 'notAfter'>) {
  const { certificate, key } = issueCertificate({ ...request, ...validity });
  return { parsed: new X509Certificate(certificate), key: createPrivateKey(key) };
}

test('a certificate without an issuer signs itself and holds the public half of its key', () => {
  const { parsed, key } = issued({ commonName: 'own', uses: ['authority'] });
  assert.ok(parsed.verify(parsed.publicKey));
  assert.ok(parsed.checkPrivateKey(key));
  assert.equal(parsed.ca, true);
});

test('a certificate with an issuer carries its name and its signature', () => {
  const authority = issued({ commonName: 'root', organisations: ['a', 'b'], uses: ['authority'] });
  const subject = { commonName: 'root', organisations: ['a', 'b'] };
  const request: CertificateRequest = { commonName: 'jane', uses: ['client'], ...validity };
  const client = new X509Certificate(issueCertificate(request, { subject, key: authority.key }).certificate);
  assert.ok(client.checkIssued(authority.parsed) && client.verify(authority.parsed.publicKey));
  assert.equal(client.issuer, 'O=a\nO=b\nCN=root');
  assert.equal(client.ca, false);
});

test('a certificate is good for its uses, names and time only', () => {
  const { parsed } = issued({
    commonName: 's',
    uses: ['server', 'client'],
    names: ['ccm.example', '10.0.0.1', 'fd00::2'],
  });
  assert.equal(parsed.subjectAltName, 'DNS:ccm.example, IP Address:10.0.0.1, IP Address:FD00:0:0:0:0:0:0:2');
  assert.deepEqual(parsed.keyUsage, ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
  assert.equal(parsed.validFromDate.getTime(), validity.notBefore.getTime());
  assert.equal(parsed.validToDate.getTime(), validity.notAfter.getTime());
});
