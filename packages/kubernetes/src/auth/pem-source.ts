import { readFile } from 'node:fs/promises';
import { messageOf, Secret } from '@cloudstack-ccm/base';
import { KubeconfigError } from '../errors.ts';

/** Certificates or a key: given in full, or in a file that may be replaced while the process runs. */
export type PemSource = { readonly data: Secret } | { readonly file: string };

/** @throws KubeconfigError naming the file that cannot be read. */
export async function readPem(source: PemSource): Promise<Secret> {
  if ('data' in source) return source.data;
  try {
    return new Secret(await readFile(source.file, 'utf8'));
  } catch (thrown) {
    throw new KubeconfigError(`unable to read ${source.file}: ${messageOf(thrown)}`, { cause: thrown });
  }
}
