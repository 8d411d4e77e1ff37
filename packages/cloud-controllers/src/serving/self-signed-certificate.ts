import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';

import { parseIp } from '@cloudstack-ccm/base';

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

/** A certificate and its private key as PEM. */
export interface CertificatePair {
  readonly certificate: string;
  readonly key: string;
}

const ECDSA_WITH_SHA256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
const YEAR_MS = 365 * 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/**
 * A certificate for an endpoint that was given none: valid for a year, for `localhost`, 127.0.0.1 and the names given.
 * Its key is EC P-256, not RSA as in the Go framework: under a limit of 50m CPU an RSA key takes seconds to make.
 */
export function selfSignedCertificate(now: number, names: readonly string[] = []): CertificatePair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = commonName(`localhost@${Math.floor(now / 1000)}`);
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    subject,
    sequence(time(new Date(now - HOUR_MS)), time(new Date(now + YEAR_MS))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions([...new Set(['localhost', '127.0.0.1', ...names])]))),
  );
  const certificate = sequence(body, ECDSA_WITH_SHA256, bitString(sign('sha256', body, privateKey)));
  return { certificate: pem(certificate), key: pkcs8(privateKey) };
}

function commonName(name: string): Buffer {
  return sequence(setOf(sequence(objectIdentifier('2.5.4.3'), utf8String(name))));
}

/** It signs itself, so it is its own authority: clients can be told to trust it. */
function extensions(names: readonly string[]): readonly Buffer[] {
  const digitalSignatureAndCertSign = bitString(Buffer.from([0b1000_0100]), 2);
  return [
    extension('2.5.29.15', true, digitalSignatureAndCertSign),
    extension('2.5.29.37', false, sequence(objectIdentifier('1.3.6.1.5.5.7.3.1'))),
    extension('2.5.29.19', true, sequence(boolean(true))),
    extension('2.5.29.17', false, sequence(...names.map(alternativeName))),
  ];
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return sequence(objectIdentifier(id), ...(critical ? [boolean(true)] : []), octetString(value));
}

function alternativeName(name: string): Buffer {
  return isIP(name) === 0 ? der(0x82, Buffer.from(name)) : der(0x87, addressBytes(name));
}

function addressBytes(address: string): Buffer {
  const ip = parseIp(address);
  if (ip?.family === 4) return Buffer.from(ip.text.split('.').map(Number));
  return ipv6Bytes(ip?.text ?? '::');
}

/** From the shortest spelling, in which `::` stands for as many zeros as are missing. */
function ipv6Bytes(text: string): Buffer {
  const [head = '', tail] = text.split('::');
  const words = (part: string): number[] => (part === '' ? [] : part.split(':').map((word) => parseInt(word, 16)));
  const last = words(tail ?? '');
  const first = words(head);
  const all = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 0xff]));
}

function pkcs8(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
