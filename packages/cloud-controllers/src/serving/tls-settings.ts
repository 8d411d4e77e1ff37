import type { SecureContextOptions, SecureVersion } from 'node:tls';

import { ServingError } from '../errors.ts';

/** TLS 1.2 suites by their IANA names, as Go spells them, with OpenSSL's. */
const TLS_12_SUITES: Readonly<Record<string, string>> = {
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 'ECDHE-ECDSA-AES128-GCM-SHA256',
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 'ECDHE-RSA-AES128-GCM-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 'ECDHE-ECDSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 'ECDHE-RSA-AES256-GCM-SHA384',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: 'ECDHE-ECDSA-AES128-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: 'ECDHE-ECDSA-AES256-SHA',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: 'ECDHE-RSA-AES128-SHA',
  TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA: 'ECDHE-RSA-AES256-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256: 'ECDHE-ECDSA-AES128-SHA256',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256: 'ECDHE-RSA-AES128-SHA256',
  TLS_RSA_WITH_AES_128_GCM_SHA256: 'AES128-GCM-SHA256',
  TLS_RSA_WITH_AES_256_GCM_SHA384: 'AES256-GCM-SHA384',
  TLS_RSA_WITH_AES_128_CBC_SHA: 'AES128-SHA',
  TLS_RSA_WITH_AES_256_CBC_SHA: 'AES256-SHA',
  TLS_RSA_WITH_AES_128_CBC_SHA256: 'AES128-SHA256',
};

/** OpenSSL knows these by their IANA names. */
const TLS_13_SUITES = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'];

const VERSIONS: Readonly<Record<string, SecureVersion>> = {
  '': 'TLSv1.2',
  VersionTLS10: 'TLSv1',
  VersionTLS11: 'TLSv1.1',
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
};

/** By the numbers of the TLS registry. */
const CURVES: Readonly<Record<number, string>> = {
  23: 'P-256',
  24: 'P-384',
  25: 'P-521',
  29: 'X25519',
  4588: 'X25519MLKEM768',
};

interface TlsFlags {
  readonly tlsCipherSuites: readonly string[];
  readonly tlsCurves: readonly number[];
  readonly tlsMinVersion: string;
}

/** What the TLS flags mean to Node. @throws ServingError for a name that is not known. */
export function tlsSettings({ tlsCipherSuites, tlsCurves, tlsMinVersion }: TlsFlags): SecureContextOptions {
  const minVersion = VERSIONS[tlsMinVersion];
  if (minVersion === undefined) throw new ServingError(`unknown tls version ${JSON.stringify(tlsMinVersion)}`);
  return {
    minVersion,
    ...(tlsCipherSuites.length > 0 && { ciphers: suites(tlsCipherSuites).join(':') }),
    ...(tlsCurves.length > 0 && { ecdhCurve: tlsCurves.map(curve).join(':') }),
  };
}

/** The flag chooses among the suites of TLS 1.2 only; Go does not let anybody switch one of TLS 1.3 off. */
function suites(names: readonly string[]): readonly string[] {
  return [...new Set([...TLS_13_SUITES, ...names.map(suite)])];
}

function suite(name: string): string {
  const known = TLS_13_SUITES.includes(name) ? name : TLS_12_SUITES[name];
  if (known === undefined) throw new ServingError(`Cipher suite ${name} not supported or doesn't exist`);
  return known;
}

function curve(id: number): string {
  const name = CURVES[id];
  if (name === undefined) throw new ServingError(`curve ${id} of --tls-curve-preferences is not supported`);
  return name;
}
