import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { connect, createServer, TLSSocket } from 'node:tls';
import { CertificateAuthority, signingKey } from './certificates.ts';

test('a server certificate is signed by the authority and names its hosts', () => {
  const authority = new CertificateAuthority('control-plane');
  const root = new X509Certificate(authority.certificate);
  const server = new X509Certificate(authority.server(['127.0.0.1', 'localhost']).certificate);
  assert.equal(root.ca, true);
  assert.equal(server.ca, false);
  assert.equal(server.verify(root.publicKey), true);
  assert.equal(server.checkIP('127.0.0.1'), '127.0.0.1');
  assert.equal(server.checkHost('localhost'), 'localhost');
  assert.equal(server.checkHost('elsewhere'), undefined);
  assert.ok(Date.parse(server.validFrom) < Date.now() && Date.now() < Date.parse(server.validTo));
});

test('a client certificate carries the user and the groups as Kubernetes reads them', () => {
  const pair = new CertificateAuthority('control-plane').client('jane', ['system:masters', 'developers']);
  const certificate = new X509Certificate(pair.certificate);
  assert.equal(certificate.subject, 'O=system:masters\nO=developers\nCN=jane');
  assert.equal(certificate.checkPrivateKey(createPrivateKey(pair.key)), true);
});

test('both sides of a TLS connection accept the certificates', async () => {
  const authority = new CertificateAuthority('control-plane');
  const [server, client] = [authority.server(['127.0.0.1']), authority.client('jane', [])];
  const listener = createServer({
    cert: server.certificate,
    key: server.key,
    ca: authority.certificate,
    requestCert: true,
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const { port } = listener.address() as AddressInfo;
  const accepted = once(listener, 'secureConnection');
  const socket = connect({
    port,
    host: '127.0.0.1',
    ca: authority.certificate,
    cert: client.certificate,
    key: client.key,
  });
  await once(socket, 'secureConnect');
  const [peer] = await accepted;
  assert.equal(socket.authorized, true);
  assert.ok(peer instanceof TLSSocket && peer.authorized);
  socket.destroy();
  listener.close();
});

test('a certificate of another authority of the same name is not trusted', () => {
  const other = new X509Certificate(new CertificateAuthority('control-plane').certificate);
  const server = new X509Certificate(new CertificateAuthority('control-plane').server(['127.0.0.1']).certificate);
  assert.equal(server.verify(other.publicKey), false);
});

test('a signing key holds its public half too', () => {
  assert.match(signingKey(), /^-----BEGIN EC PRIVATE KEY-----/);
  assert.equal(createPublicKey(signingKey()).asymmetricKeyType, 'ec');
});
