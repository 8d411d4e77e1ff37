import { X509Certificate } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { messageOf, type KeyPair } from '@cloudstack-ccm/base';

import { ServingError } from '../errors.ts';
import type { NamedCertificate } from '../options/serving-flags.ts';
import { selfSignedCertificate } from './self-signed-certificate.ts';

interface CertificateFlags {
  readonly bindAddress: string;
  readonly certDir: string;
  readonly tlsCertFile: string;
  readonly tlsKeyFile: string;
  readonly tlsSniCertKey: readonly NamedCertificate[];
}

/** The certificates of an endpoint, as they are now. */
export interface Certificates {
  readonly main: KeyPair;
  /** By lower-case server name; a leading `*.` stands for one label. */
  readonly byName: ReadonlyMap<string, KeyPair>;
}

/** Where the endpoint's certificates come from. What is in files is read anew at each `load`. */
export class CertificateStore {
  readonly #flags: CertificateFlags;
  readonly #now: number;
  #own: KeyPair | undefined;

  /** @param now wall time in milliseconds. */
  constructor(flags: CertificateFlags, now: number) {
    this.#flags = flags;
    this.#now = now;
  }

  /** @throws ServingError that names the file which cannot be used. */
  async load(): Promise<Certificates> {
    const pairs = await Promise.all(
      this.#flags.tlsSniCertKey.map(async (named) => {
        const pair = await readPair(named.certFile, named.keyFile);
        return namesOf(named, pair).map((name) => [name.toLowerCase(), pair] as const);
      }),
    );
    // Of two certificates for one name the first counts.
    return { main: await this.#main(), byName: new Map(pairs.flat().toReversed()) };
  }

  #main(): Promise<KeyPair> {
    const { tlsCertFile, tlsKeyFile, certDir } = this.#flags;
    if (tlsCertFile !== '' || tlsKeyFile !== '') return readPair(tlsCertFile, tlsKeyFile);
    return certDir === '' ? Promise.resolve(this.#selfSigned()) : this.#inFolder(certDir);
  }

  async #inFolder(folder: string): Promise<KeyPair> {
    const [certFile, keyFile] = ['crt', 'key'].map((type) => join(folder, `cloud-controller-manager.${type}`));
    if (certFile === undefined || keyFile === undefined) return this.#selfSigned();
    try {
      return await readPair(certFile, keyFile);
    } catch {
      await writePair(folder, certFile, keyFile, this.#selfSigned());
      return this.#selfSigned();
    }
  }

  #selfSigned(): KeyPair {
    const { bindAddress } = this.#flags;
    const specific = bindAddress !== '' && bindAddress !== '0.0.0.0' && bindAddress !== '::';
    this.#own ??= selfSignedCertificate(this.#now, specific ? [bindAddress] : []);
    return this.#own;
  }
}

/** The certificate for a server name: its own, else that of its wildcard; undefined for the main one. */
export function certificateFor({ byName }: Certificates, serverName: string): KeyPair | undefined {
  const name = serverName.toLowerCase();
  return byName.get(name) ?? byName.get(name.replace(/^[^.]+/, '*'));
}

async function readPair(certFile: string, keyFile: string): Promise<KeyPair> {
  try {
    // One after the other, so that the same file is named each time.
    const certificate = await readFile(certFile, 'utf8');
    return { certificate, key: await readFile(keyFile, 'utf8') };
  } catch (thrown) {
    throw new ServingError(`unable to load server certificate: ${messageOf(thrown)}`);
  }
}

async function writePair(folder: string, certFile: string, keyFile: string, pair: KeyPair): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o755 });
    await writeFile(certFile, pair.certificate, { mode: 0o644 });
    await writeFile(keyFile, pair.key, { mode: 0o600 });
  } catch (thrown) {
    throw new ServingError(`error creating self-signed certificates: ${messageOf(thrown)}`);
  }
}

function namesOf({ names, certFile }: NamedCertificate, { certificate }: KeyPair): readonly string[] {
  if (names.length > 0) return names;
  try {
    const { subjectAltName = '' } = new X509Certificate(certificate);
    return [...subjectAltName.matchAll(/DNS:([^,]+)/g)].map(([, name]) => name?.trim() ?? '');
  } catch (thrown) {
    throw new ServingError(`unable to read the names in ${certFile}: ${messageOf(thrown)}`);
  }
}
