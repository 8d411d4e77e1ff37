import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import {
  bitString,
  boolean,
  der,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  setOf,
  time,
  utf8String,
} from './der.ts';

/** A certificate and its private key, both as PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

export interface CertificateSubject {
  readonly commonName: string;
  /** Kubernetes reads those of a client as its groups. */
  readonly organisations?: readonly string[];
}

export interface CertificateRequest extends CertificateSubject {
  readonly uses: readonly ('authority' | 'server' | 'client')[];
  /** DNS names and IP addresses by which a server is reached. */
  readonly names?: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
}

export interface CertificateIssuer {
  readonly subject: CertificateSubject;
  readonly key: KeyObject;
}

/**
 * Makes a key, EC P-256, and a certificate for it by RFC 5280.
 * @param issuer who signs; without one the certificate signs itself.
 */
export function issueCertificate(request: CertificateRequest, issuer?: CertificateIssuer): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    // A leading one keeps DER's rule of the shortest form for every random number.
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    distinguishedName(issuer?.subject ?? request),
    sequence(time(request.notBefore), time(request.notAfter)),
    distinguishedName(request),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions(request))),
  );
  const signature = bitString(sign('sha256', body, issuer?.key ?? privateKey));
  return { certificate: pem(sequence(body, ECDSA_WITH_SHA256, signature)), key: pkcs8(privateKey) };
}

const OID = {
  commonName: '2.5.4.3',
  organisation: '2.5.4.10',
  keyUsage: '2.5.29.15',
  subjectAlternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  extendedKeyUsage: '2.5.29.37',
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
} as const;

const ECDSA_WITH_SHA256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));

function distinguishedName({ organisations = [], commonName }: CertificateSubject): Buffer {
  const part = (id: string, value: string): Buffer => setOf(sequence(objectIdentifier(id), utf8String(value)));
  return sequence(...organisations.map((name) => part(OID.organisation, name)), part(OID.commonName, commonName));
}

function extensions({ uses, names = [] }: CertificateRequest): readonly Buffer[] {
  const authority = uses.includes('authority');
  const peers = uses.filter((use) => use !== 'authority').map((use) => objectIdentifier(OID[use]));
  return [
    extension(OID.keyUsage, true, keyUsage(authority, peers.length > 0)),
    ...(authority ? [extension(OID.basicConstraints, true, sequence(boolean(true)))] : []),
    ...(peers.length > 0 ? [extension(OID.extendedKeyUsage, false, sequence(...peers))] : []),
    ...(names.length > 0 ? [extension(OID.subjectAlternativeName, false, sequence(...names.map(alternative)))] : []),
  ];
}

/** An authority signs certificates and revocation lists, a peer signs what proves that it has the key. */
function keyUsage(authority: boolean, peer: boolean): Buffer {
  const bits = (peer ? 0b1000_0000 : 0) | (authority ? 0b0000_0110 : 0);
  return bitString(Buffer.from([bits]), authority ? 1 : 7);
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return sequence(objectIdentifier(id), ...(critical ? [boolean(true)] : []), octetString(value));
}

function alternative(name: string): Buffer {
  return isIP(name) === 0 ? der(0x82, Buffer.from(name)) : der(0x87, Buffer.from(ipaddr.parse(name).toByteArray()));
}

function pkcs8(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
