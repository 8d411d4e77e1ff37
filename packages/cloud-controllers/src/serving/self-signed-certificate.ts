import { issueCertificate, type KeyPair } from '@cloudstack-ccm/base';

const YEAR_MS = 365 * 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/**
 * A certificate for an endpoint that was given none: valid for a year, for `localhost`, 127.0.0.1 and the names given.
 * It is its own authority, so that clients can be told to trust it. Its key is EC P-256, not RSA as in the Go framework:
 * under a limit of 50m CPU an RSA key takes seconds to make.
 */
export function selfSignedCertificate(now: number, names: readonly string[] = []): KeyPair {
  return issueCertificate({
    commonName: `localhost@${Math.floor(now / 1000)}`,
    uses: ['authority', 'server'],
    names: [...new Set(['localhost', '127.0.0.1', ...names])],
    notBefore: new Date(now - HOUR_MS),
    notAfter: new Date(now + YEAR_MS),
  });
}
