import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { issueCertificate, type CertificateIssuer, type CertificateRequest, type KeyPair } from '@cloudstack-ccm/base';

/** Signs certificates for one control plane. Made anew each time, valid for a day, kept in memory. */
export class CertificateAuthority {
  /** PEM: what clients trust. */
  readonly certificate: string;
  readonly #issuer: CertificateIssuer;

  constructor(commonName: string) {
    const { certificate, key } = issueCertificate({ commonName, uses: ['authority'], ...validity() });
    this.certificate = certificate;
    this.#issuer = { subject: { commonName }, key: createPrivateKey(key) };
  }

  /** A server certificate for these DNS names and IP addresses. */
  server(names: readonly string[]): KeyPair {
    return this.#issue({ commonName: names[0] ?? '', uses: ['server'], names });
  }

  /** A client certificate: Kubernetes reads the common name as the user, the organisations as the groups. */
  client(user: string, groups: readonly string[]): KeyPair {
    return this.#issue({ commonName: user, organisations: groups, uses: ['client'] });
  }

  #issue(request: Omit<CertificateRequest, 'notBefore' | 'notAfter'>): KeyPair {
    return issueCertificate({ ...request, ...validity() }, this.#issuer);
  }
}

/** A private key as PEM, in the one form from which kube-apiserver also reads the public half: SEC 1. */
export function signingKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'sec1', format: 'pem' }).toString();
}

const HOUR = 3600 * 1000;

/** From an hour ago, as clocks differ, until tomorrow. */
function validity(): { readonly notBefore: Date; readonly notAfter: Date } {
  return { notBefore: new Date(Date.now() - HOUR), notAfter: new Date(Date.now() + 24 * HOUR) };
}
