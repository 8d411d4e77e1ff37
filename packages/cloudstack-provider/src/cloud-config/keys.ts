import { parseGoDuration, Secret } from '@cloudstack-ccm/base';

/** What a key of `[Global]` takes. A reader gives undefined for a text that it cannot read. */
export interface Key<T> {
  readonly name: string;
  readonly read: (text: string) => T | undefined;
  /** Completes "<name> must be …". */
  readonly expected: string;
  /** What the name means when it stands alone, without `=`. Undefined where that is an error. */
  readonly alone?: T;
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  '1': true,
  false: false,
  no: false,
  off: false,
  '0': false,
};

const text = (name: string): Key<string> => ({ name, read: (value) => value, expected: 'text' });

const secret = (name: string): Key<Secret> => ({ name, read: (value) => new Secret(value), expected: 'text' });

const flag = (name: string): Key<boolean> => ({
  name,
  read: (value) => BOOLEANS[value.toLowerCase()],
  expected: 'true, yes, on, 1, false, no, off or 0',
  alone: true,
});

const duration = (name: string): Key<number> => ({
  name,
  read: (value) => {
    const ms = parseGoDuration(value);
    return ms !== undefined && ms > 0 ? ms : undefined;
  },
  expected: 'a duration longer than 0, such as 60s or 5m',
});

const number = (name: string): Key<number> => ({
  name,
  read: (value) => (/^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined),
  expected: 'a number of 0 or more',
});

const whole = (name: string, most: number, expected: string): Key<number> => ({
  name,
  read: (value) => (/^\d{1,9}$/.test(value) && Number(value) <= most ? Number(value) : undefined),
  expected,
});

const url = (name: string, protocols: readonly string[]): Key<string> => ({
  name,
  read: (value) => {
    if (value === '') return '';
    return URL.canParse(value) && protocols.includes(new URL(value).protocol) ? value : undefined;
  },
  expected: `a complete URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
});

const secretUrl = (name: string, protocols: readonly string[]): Key<Secret> => {
  const { read, expected } = url(name, protocols);
  const readSecret = (value: string): Secret | undefined => {
    const known = read(value);
    return known === undefined ? undefined : new Secret(known);
  };
  return { name, read: readSecret, expected };
};

/** Parts between commas, in their order. */
const list = (name: string): Key<readonly string[]> => ({ name, read: parts, expected: 'a list with commas' });

/** Words out of a few, between commas, in the order in which they were written. */
const words = <T extends string>(name: string, known: readonly T[], least: 0 | 1): Key<readonly T[]> => ({
  name,
  read: (value) => {
    const given = parts(value.toLowerCase()).map((part) => known.find((word) => word === part));
    const found = given.filter((word) => word !== undefined);
    return found.length === given.length && found.length >= least ? [...new Set(found)] : undefined;
  },
  expected: `${least === 0 ? 'empty or ' : ''}a list with commas of ${known.join(', ')}`,
});

const word = <T extends string>(name: string, known: readonly T[]): Key<T> => ({
  name,
  read: (value) => known.find((one) => one === value.toLowerCase()),
  expected: known.join(' or '),
});

function parts(value: string): readonly string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const HTTP = ['http:', 'https:'];

/** All keys of `[Global]`. Those down to `version` are the Go CCM's. Names are in lower case. */
export const KEYS = {
  apiUrl: url('api-url', HTTP),
  apiKey: secret('api-key'),
  secretKey: secret('secret-key'),
  projectId: text('project-id'),
  zone: text('zone'),
  region: text('region'),
  sslNoVerify: flag('ssl-no-verify'),
  version: text('version'),
  caFile: text('ca-file'),
  proxyUrl: secretUrl('proxy-url', HTTP),
  timeout: duration('timeout'),
  jobTimeout: duration('job-timeout'),
  rateLimit: number('rate-limit'),
  rateLimitBurst: number('rate-limit-burst'),
  apiKeyFile: text('api-key-file'),
  secretKeyFile: text('secret-key-file'),
  nodeNetworks: list('node-networks'),
  nodeNetworksExclude: list('node-networks-exclude'),
  nodeNetworkOrder: word('node-network-order', ['default-first', 'configured']),
  nodeAddressFamilies: words('node-address-families', ['ipv4', 'ipv6'], 1),
  nodeExternalAddresses: words('node-external-addresses', ['static-nat', 'shared', 'ipv6'], 0),
  nodeSecondaryAddresses: flag('node-secondary-addresses'),
  nodeHostLabel: flag('node-host-label'),
  nodeAffinityGroupLabel: flag('node-affinity-group-label'),
  nodeTagLabelPrefixes: list('node-tag-label-prefixes'),
  nodeDeletionHoldCount: whole('node-deletion-hold-count', Infinity, 'a whole number of 0 or more'),
  nodeDeletionHoldPercent: whole('node-deletion-hold-percent', 100, 'a whole number from 0 to 100'),
  nodeDeletionHoldWindow: duration('node-deletion-hold-window'),
} as const;
