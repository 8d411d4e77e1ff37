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

const HTTP = ['http:', 'https:'];

/** All keys of `[Global]`. Those down to `version` are the Go CCM's. */
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
} as const;
