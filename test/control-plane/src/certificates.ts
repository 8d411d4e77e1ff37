import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { bits, integer, objectId, octets, retagged, sequence, set, tagged, utcTime, utf8, yes } from './der.ts';

/** A certificate and its private key, both as PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** Signs certificates for one control plane. Made anew each time, valid for a day, kept in memory. */
export class CertificateAuthority {
  /** PEM: what clients trust. */
  readonly certificate: string;
  readonly #name: Buffer;
  readonly #key: KeyObject;

  constructor(commonName: string) {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#name = distinguishedName(commonName, []);
    this.#key = pair.privateKey;
    this.certificate = this.#certify(this.#name, pair.publicKey, [
      extension(OID.basicConstraints, sequence(yes()), 'critical'),
      extension(OID.keyUsage, bits(Buffer.from([0b0000_0110]), 1), 'critical'),
    ]);
  }

  /** A server certificate for these DNS names and IPv4 addresses. */
  server(names: readonly string[]): KeyPair {
    const alternatives = names.map((name) =>
      isIPv4(name) ? retagged(7, Buffer.from(name.split('.').map(Number))) : retagged(2, Buffer.from(name)),
    );
    return this.#issue(distinguishedName(names[0] ?? '', []), [
      extension(OID.extendedKeyUsage, sequence(objectId(OID.serverAuth))),
      extension(OID.subjectAlternativeName, sequence(...alternatives)),
    ]);
  }

  /** A client certificate: Kubernetes reads the common name as the user, the organisations as the groups. */
  client(user: string, groups: readonly string[]): KeyPair {
    return this.#issue(distinguishedName(user, groups), [
      extension(OID.extendedKeyUsage, sequence(objectId(OID.clientAuth))),
    ]);
  }

  #issue(subject: Buffer, extensions: readonly Buffer[]): KeyPair {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const usage = extension(OID.keyUsage, bits(Buffer.from([0b1000_0000]), 7), 'critical');
    return { certificate: this.#certify(subject, publicKey, [usage, ...extensions]), key: pkcs8(privateKey) };
  }

  #certify(subject: Buffer, publicKey: KeyObject, extensions: readonly Buffer[]): string {
    const body = sequence(
      tagged(0, integer(Buffer.from([2]))),
      // A leading one keeps DER's rule of the shortest form for every random number.
      integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
      ALGORITHM,
      this.#name,
      validity(),
      subject,
      publicKey.export({ type: 'spki', format: 'der' }),
      tagged(3, sequence(...extensions)),
    );
    return pem(sequence(body, ALGORITHM, bits(sign('sha256', body, this.#key))));
  }
}

/** A private key as PEM, in the one form from which kube-apiserver also reads the public half: SEC 1. */
export function signingKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'sec1', format: 'pem' }).toString();
}

const OID = {
  commonName: '2.5.4.3',
  organisation: '2.5.4.10',
  keyUsage: '2.5.29.15',
  subjectAlternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
} as const;

const ALGORITHM = sequence(objectId(OID.ecdsaWithSha256));

const HOUR = 3600 * 1000;

/** From an hour ago, as clocks differ, until tomorrow. */
function validity(): Buffer {
  return sequence(utcTime(new Date(Date.now() - HOUR)), utcTime(new Date(Date.now() + 24 * HOUR)));
}

function distinguishedName(commonName: string, organisations: readonly string[]): Buffer {
  const part = (oid: string, value: string): Buffer => set(sequence(objectId(oid), utf8(value)));
  return sequence(
    ...organisations.map((organisation) => part(OID.organisation, organisation)),
    part(OID.commonName, commonName),
  );
}

function extension(oid: string, value: Buffer, critical?: 'critical'): Buffer {
  return sequence(objectId(oid), ...(critical ? [yes()] : []), octets(value));
}

function pkcs8(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
