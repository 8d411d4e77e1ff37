import { readFile } from 'node:fs/promises';

import { asError, messageOf, type Logger, type Scope } from '@cloudstack-ccm/base';
import { Informer, StatusError, type ConfigMap, type KubernetesClient } from '@cloudstack-ccm/kubernetes';

import { ServingError } from '../errors.ts';
import type { Options } from '../options/options.ts';
import { ClientAuthorities } from './client-authorities.ts';

/** Which client certificates the endpoint believes, and what it makes of them. */
export interface CertificateTrust {
  /** Of certificates that name their user. */
  readonly clients: ClientAuthorities;
  /** Of proxies that name the user in headers. */
  readonly proxies: ClientAuthorities;
  /** Common names of such proxies; none: any. */
  readonly proxyNames: readonly string[];
  /** Lower case. */
  readonly userHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraPrefixes: readonly string[];
}

const NONE = new ClientAuthorities('');

/** Published by the API server, so that others can believe whom it believes. */
const CONFIG_MAP = { namespace: 'kube-system', name: 'extension-apiserver-authentication' };

const LOOK_UP_TIMEOUT_MS = 10_000;

type AuthenticationFlags = Options['authentication'];

/** Follows what the API server publishes, and what the flags say instead. */
export class AuthenticationConfig {
  readonly #flags: AuthenticationFlags;
  readonly #log: Logger;
  readonly #listeners: (() => void)[] = [];
  #trust: CertificateTrust;

  constructor(flags: AuthenticationFlags, log: Logger) {
    this.#flags = flags;
    this.#log = log;
    this.#trust = { ...headerRules(flags), clients: NONE, proxies: NONE };
  }

  get trust(): CertificateTrust {
    return this.#trust;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Reads files and ConfigMap once, then follows the ConfigMap in the background.
   * @param client undefined when there is no API server to ask.
   * @throws ServingError when the ConfigMap must not be read, unless the flags tolerate that.
   */
  async start(scope: Scope, client: KubernetesClient | undefined): Promise<void> {
    const { clientCaFile, requestHeaderClientCaFile, skipLookup } = this.#flags;
    this.#change({
      ...(clientCaFile !== '' && { clients: await authoritiesIn(clientCaFile) }),
      ...(requestHeaderClientCaFile !== '' && { proxies: await authoritiesIn(requestHeaderClientCaFile) }),
    });
    const given = clientCaFile !== '' && requestHeaderClientCaFile !== '';
    if (!client || skipLookup || given) return;
    await this.#lookUp(scope, client);
    this.#follow(scope, client);
  }

  async #lookUp(scope: Scope, client: KubernetesClient): Promise<void> {
    using within = scope.withDeadline(LOOK_UP_TIMEOUT_MS, 'reading the authentication configuration');
    try {
      this.#take(await client.configMaps.get(within, CONFIG_MAP));
    } catch (thrown) {
      scope.throwIfCancelled();
      if (thrown instanceof StatusError && thrown.isNotFound) return;
      const text = `unable to load configmap based request-header-client-ca-file: ${messageOf(thrown)}`;
      // An API server that is away now will be followed when it is back; one that refuses must be told to allow it.
      const refused = thrown instanceof StatusError && (thrown.isForbidden || thrown.isUnauthorized);
      if (refused && !this.#flags.tolerateLookupFailure) throw new ServingError(text, { cause: thrown });
      this.#log.warn(text);
    }
  }

  #follow(scope: Scope, client: KubernetesClient): void {
    const informer = new Informer(client.configMaps, {
      log: this.#log,
      namespace: CONFIG_MAP.namespace,
      fieldSelector: `metadata.name=${CONFIG_MAP.name}`,
    });
    informer.addHandler({ added: (map) => this.#take(map), updated: (_before, map) => this.#take(map) });
    informer.start(scope);
  }

  #take({ data }: ConfigMap): void {
    try {
      this.#change(published(data, this.#flags));
    } catch (thrown) {
      this.#log.error('Cannot use the authentication configuration of the API server', asError(thrown));
    }
  }

  #change(changes: Partial<CertificateTrust>): void {
    this.#trust = { ...this.#trust, ...changes };
    for (const listener of this.#listeners) listener();
  }
}

function headerRules(flags: AuthenticationFlags): Omit<CertificateTrust, 'clients' | 'proxies'> {
  return {
    proxyNames: flags.requestHeaderAllowedNames,
    userHeaders: lowerCase(flags.requestHeaderUsernameHeaders),
    uidHeaders: lowerCase(flags.requestHeaderUidHeaders),
    groupHeaders: lowerCase(flags.requestHeaderGroupHeaders),
    extraPrefixes: lowerCase(flags.requestHeaderExtraPrefixes),
  };
}

/** What the ConfigMap sets; a CA file given by flag keeps its part out. */
function published(data: ConfigMap['data'], flags: AuthenticationFlags): Partial<CertificateTrust> {
  const clients = data['client-ca-file'];
  const proxies = data['requestheader-client-ca-file'];
  return {
    ...(flags.clientCaFile === '' && clients !== undefined && { clients: new ClientAuthorities(clients) }),
    ...(flags.requestHeaderClientCaFile === '' &&
      proxies !== undefined && {
        proxies: new ClientAuthorities(proxies),
        proxyNames: list(data, 'requestheader-allowed-names'),
        userHeaders: lowerCase(list(data, 'requestheader-username-headers')),
        uidHeaders: lowerCase(list(data, 'requestheader-uid-headers')),
        groupHeaders: lowerCase(list(data, 'requestheader-group-headers')),
        extraPrefixes: lowerCase(list(data, 'requestheader-extra-headers-prefix')),
      }),
  };
}

/** A JSON list of strings. @throws ServingError that names the key. */
function list(data: ConfigMap['data'], key: string): readonly string[] {
  const text = data[key];
  if (text === undefined || text === '') return [];
  const value: unknown = JSON.parse(text);
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
  if (!isList) throw new ServingError(`${key} in ConfigMap ${CONFIG_MAP.name} is no list of strings`);
  return value;
}

function lowerCase(names: readonly string[]): readonly string[] {
  return names.map((name) => name.toLowerCase());
}

async function authoritiesIn(path: string): Promise<ClientAuthorities> {
  try {
    return new ClientAuthorities(await readFile(path, 'utf8'));
  } catch (thrown) {
    throw new ServingError(`unable to load client CA file ${path}: ${messageOf(thrown)}`);
  }
}
