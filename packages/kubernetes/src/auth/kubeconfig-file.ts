import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { messageOf, Secret } from '@cloudstack-ccm/base';
import { Reader } from '../decode.ts';
import { KubeconfigError } from '../errors.ts';
import { optional } from '../objects/kind.ts';
import type { PemSource } from './pem-source.ts';

export interface KubeconfigCluster {
  readonly server: string;
  readonly ca?: PemSource;
  readonly insecureSkipVerify: boolean;
  readonly serverName?: string;
  /** Fields whose meaning is not supported; they matter only if the cluster is used. */
  readonly unsupported: readonly string[];
}

export interface KubeconfigUser {
  readonly certificate?: PemSource;
  readonly key?: PemSource;
  readonly token?: Secret;
  readonly tokenFile?: string;
  readonly unsupported: readonly string[];
}

interface KubeconfigContext {
  readonly cluster: string;
  readonly user: string;
  readonly namespace: string;
}

/** A kubeconfig with its entries by name and its paths made absolute. */
export interface Kubeconfig {
  readonly currentContext: string;
  readonly clusters: ReadonlyMap<string, KubeconfigCluster>;
  readonly users: ReadonlyMap<string, KubeconfigUser>;
  readonly contexts: ReadonlyMap<string, KubeconfigContext>;
}

const UNSUPPORTED_IN_CLUSTER = ['proxy-url'];
const UNSUPPORTED_IN_USER = ['exec', 'auth-provider', 'username', 'password', 'as', 'as-uid', 'as-groups'];

/** @throws KubeconfigError naming the file, and the place in it but never a value: it may be a key. */
export async function readKubeconfig(path: string): Promise<Kubeconfig> {
  const text = await readText(path);
  try {
    return decode(await parseYaml(path, text), resolve(dirname(path)));
  } catch (thrown) {
    if (thrown instanceof KubeconfigError) throw thrown;
    throw new KubeconfigError(`error loading config file "${path}": ${messageOf(thrown)}`, { cause: thrown });
  }
}

/** As kubectl merges the files of KUBECONFIG: for each name, and for current-context, the first file that has it. */
export function mergeKubeconfigs(files: readonly Kubeconfig[]): Kubeconfig {
  const first = <V>(pick: (file: Kubeconfig) => ReadonlyMap<string, V>): ReadonlyMap<string, V> =>
    new Map(files.toReversed().flatMap((file) => [...pick(file)]));
  return {
    currentContext: files.map((file) => file.currentContext).find((name) => name !== '') ?? '',
    clusters: first((file) => file.clusters),
    users: first((file) => file.users),
    contexts: first((file) => file.contexts),
  };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    const missing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
    const message = missing ? `stat ${path}: no such file or directory` : messageOf(thrown);
    throw new KubeconfigError(message, { cause: thrown });
  }
}

/** Loads the parser only when there is a kubeconfig: in a cluster there is none, and start-up counts. */
async function parseYaml(path: string, text: string): Promise<unknown> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const [error] = document.errors;
  if (error) {
    const { line, col } = lineCounter.linePos(error.pos[0]);
    throw new KubeconfigError(`error loading config file "${path}": line ${line}, column ${col}: ${error.code}`);
  }
  return document.toJS() as unknown;
}

function decode(value: unknown, folder: string): Kubeconfig {
  const config = Reader.of(value ?? {}, 'kubeconfig');
  const named = <V>(list: string, entry: string, read: (fields: Reader) => V): ReadonlyMap<string, V> =>
    new Map(config.list(list, (item) => [item.string('name'), read(item.object(entry))] as const).toReversed());
  return {
    currentContext: config.string('current-context'),
    clusters: named('clusters', 'cluster', (cluster) => readCluster(cluster, folder)),
    users: named('users', 'user', (user) => readUser(user, folder)),
    contexts: named('contexts', 'context', (context) => ({
      cluster: context.string('cluster'),
      user: context.string('user'),
      namespace: context.string('namespace'),
    })),
  };
}

function readCluster(cluster: Reader, folder: string): KubeconfigCluster {
  return {
    server: cluster.string('server'),
    ...optional('ca', readPemSource(cluster, 'certificate-authority', folder)),
    insecureSkipVerify: cluster.boolean('insecure-skip-tls-verify'),
    ...optional('serverName', cluster.string('tls-server-name') || undefined),
    unsupported: UNSUPPORTED_IN_CLUSTER.filter((field) => cluster.has(field)),
  };
}

function readUser(user: Reader, folder: string): KubeconfigUser {
  const token = user.string('token');
  const tokenFile = user.string('tokenFile');
  return {
    ...optional('certificate', readPemSource(user, 'client-certificate', folder)),
    ...optional('key', readPemSource(user, 'client-key', folder)),
    ...(token !== '' && { token: new Secret(token) }),
    ...(tokenFile !== '' && { tokenFile: resolve(folder, tokenFile) }),
    unsupported: UNSUPPORTED_IN_USER.filter((field) => user.has(field)),
  };
}

/** Data given in full wins over a file. */
function readPemSource(fields: Reader, key: string, folder: string): PemSource | undefined {
  const data = fields.string(`${key}-data`);
  if (data !== '') return { data: new Secret(Buffer.from(data, 'base64').toString('utf8')) };
  const file = fields.string(key);
  return file === '' ? undefined : { file: resolve(folder, file) };
}
