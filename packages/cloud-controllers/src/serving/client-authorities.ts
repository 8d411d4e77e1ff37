import { X509Certificate } from 'node:crypto';

/** Longer chains than this are nobody's. */
const MAX_CHAIN = 8;

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Authorities whose client certificates count, from a PEM bundle. */
export class ClientAuthorities {
  readonly pem: string;
  readonly #roots: readonly X509Certificate[];

  /** @throws when a certificate in the bundle cannot be read. */
  constructor(pem: string) {
    this.pem = pem;
    this.#roots = (pem.match(BLOCK) ?? []).map((block) => new X509Certificate(block));
  }

  get empty(): boolean {
    return this.#roots.length === 0;
  }

  /**
   * True if one of these authorities signed the certificate, directly or through the chain that came with it. OpenSSL
   * has already checked the chain (dates, purpose, signatures) against all authorities of the endpoint together; this
   * tells which of them it was.
   */
  signed(leaf: X509Certificate): boolean {
    let certificate: X509Certificate | undefined = leaf;
    for (let depth = 0; certificate && depth < MAX_CHAIN; depth++) {
      const child: X509Certificate = certificate;
      if (this.#roots.some((root) => issued(root, child))) return true;
      const issuer: X509Certificate | undefined = child.issuerCertificate;
      certificate = issuer && issuer !== child && issued(issuer, child) ? issuer : undefined;
    }
    return false;
  }
}

function issued(issuer: X509Certificate, child: X509Certificate): boolean {
  return child.checkIssued(issuer) && child.verify(issuer.publicKey);
}

/** The parts of a subject with this short name, for example `CN` or `O`. Escaped values keep their backslashes off. */
export function subjectParts({ subject }: X509Certificate, part: string): readonly string[] {
  return subject
    .split('\n')
    .flatMap((line) => line.split(/(?<!\\) \+ (?=[A-Z]+=)/))
    .filter((line) => line.startsWith(`${part}=`))
    .map((line) => line.slice(part.length + 1).replaceAll(/\\([^\da-fA-F]|[\da-fA-F]{2})/g, unescaped));
}

function unescaped(_match: string, escape: string): string {
  return escape.length === 2 ? String.fromCharCode(parseInt(escape, 16)) : escape;
}
