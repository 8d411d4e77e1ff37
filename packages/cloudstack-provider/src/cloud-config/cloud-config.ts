import type { Secret } from '@cloudstack-ccm/base';
import { CloudConfigError } from './errors.ts';
import { readGcfg, type Entry, type GcfgFile } from './gcfg.ts';
import type { Place } from './gcfg-scanner.ts';
import { KEYS, type Key } from './keys.ts';

/** The cloud-config, read and checked. An absent key is undefined or has its default. */
export interface CloudConfig {
  readonly apiUrl: string;
  readonly apiKey: Secret;
  readonly secretKey: Secret;
  /** The id or the name of a project. */
  readonly projectId: string | undefined;
  readonly zone: string | undefined;
  readonly region: string | undefined;
  readonly sslNoVerify: boolean;
  /** Pins the CloudStack version. */
  readonly version: string | undefined;
  readonly caFile: string | undefined;
  readonly proxyUrl: Secret | undefined;
  /** How long one API call may take, in milliseconds. */
  readonly timeoutMs: number;
  /** How long an async job may take, in milliseconds. */
  readonly jobTimeoutMs: number;
  /** API calls a second on average, and at once. 0 a second means no limit. */
  readonly rateLimit: { readonly perSecond: number; readonly burst: number };
}

export interface CloudConfigReading {
  readonly config: CloudConfig;
  /** Sentences for the log, each with its place, none with a value. */
  readonly warnings: readonly string[];
}

export interface CloudConfigOptions {
  /** The name of the file, for messages. */
  readonly file: string;
  /** True makes unknown keys and sections a warning. Default false: they are errors, as in the Go CCM. */
  readonly allowUnknown?: boolean;
}

/** Texts that operators know from the Go CCM and search for. */
const UNREADABLE = 'could not parse cloud provider config';
const MISSING = 'no cloud provider config given';

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_JOB_TIMEOUT_MS = 300_000;
const DEFAULT_RATE_LIMIT = 50;
const DEFAULT_RATE_LIMIT_BURST = 100;

/**
 * Reads the text of a cloud-config.
 * @throws CloudConfigError with all problems at once
 */
export function readCloudConfig(text: string, options: CloudConfigOptions): CloudConfigReading {
  const reader = new ConfigReader(readGcfg(text), options);
  const config = reader.config();
  return { config, warnings: reader.warnings };
}

class ConfigReader {
  readonly warnings: string[] = [];
  readonly #problems: string[] = [];
  readonly #options: CloudConfigOptions;
  readonly #entries: readonly Entry[];

  constructor(file: GcfgFile, options: CloudConfigOptions) {
    this.#options = options;
    this.#entries = file.entries.filter((entry) => entry.section.toLowerCase() === 'global');
    for (const { place, message } of file.problems) this.#problems.push(this.#at(place, message));
    this.#reportUnknown(file.entries);
    this.#reportCut();
  }

  config(): CloudConfig {
    const values = this.#values();
    if (this.#problems.length > 0) throw new CloudConfigError(UNREADABLE, this.#problems);
    return complete(values, this.#options.file);
  }

  #values(): Values {
    return {
      apiUrl: this.#value(KEYS.apiUrl),
      apiKey: this.#value(KEYS.apiKey),
      secretKey: this.#value(KEYS.secretKey),
      projectId: this.#value(KEYS.projectId),
      zone: this.#value(KEYS.zone),
      region: this.#value(KEYS.region),
      sslNoVerify: this.#value(KEYS.sslNoVerify),
      version: this.#value(KEYS.version),
      caFile: this.#value(KEYS.caFile),
      proxyUrl: this.#value(KEYS.proxyUrl),
      timeout: this.#value(KEYS.timeout),
      jobTimeout: this.#value(KEYS.jobTimeout),
      rateLimit: this.#value(KEYS.rateLimit),
      rateLimitBurst: this.#value(KEYS.rateLimitBurst),
    };
  }

  /** The value of a key: the last one wins, but each must be readable. */
  #value<T>(key: Key<T>): T | undefined {
    let last: T | undefined;
    for (const { name, value, place } of this.#entries) {
      if (name.toLowerCase() !== key.name) continue;
      const read = value === undefined ? key.alone : key.read(value);
      if (read === undefined) this.#problems.push(this.#at(place, `${key.name} must be ${key.expected}`));
      last = read;
    }
    return last;
  }

  #reportUnknown(entries: readonly Entry[]): void {
    const known = new Set<string>(Object.values(KEYS).map((key) => key.name));
    const report = this.#options.allowUnknown ? this.warnings : this.#problems;
    for (const { section, name, place } of entries) {
      if (section.toLowerCase() !== 'global') report.push(this.#at(place, `unknown section [${section}]`));
      else if (!known.has(name.toLowerCase())) report.push(this.#at(place, `unknown key ${name}`));
    }
  }

  #reportCut(): void {
    for (const { name, cutAt } of this.#entries) {
      if (!cutAt) continue;
      const advice = `${name} ends here, since a comment begins: put the value in double quotes if this sign is a part of it`;
      this.warnings.push(this.#at(cutAt, advice));
    }
  }

  #at({ line, column }: Place, message: string): string {
    return `${this.#options.file}:${line}:${column}: ${message}`;
  }
}

/** What the file says, key by key. */
type Values = { readonly [K in keyof typeof KEYS]: (typeof KEYS)[K] extends Key<infer T> ? T | undefined : never };

/** @throws CloudConfigError when the cloud cannot be reached with what is there */
function complete(values: Values, file: string): CloudConfig {
  const { apiUrl, apiKey, secretKey } = values;
  if (!apiUrl || !apiKey || apiKey.empty || !secretKey || secretKey.empty) {
    const missing = [
      ...(apiUrl ? [] : [KEYS.apiUrl.name]),
      ...(apiKey && !apiKey.empty ? [] : [KEYS.apiKey.name]),
      ...(secretKey && !secretKey.empty ? [] : [KEYS.secretKey.name]),
    ];
    throw new CloudConfigError(MISSING, [`${missing.join(', ')} missing in section [Global] of ${file}`]);
  }
  return {
    apiUrl,
    apiKey,
    secretKey,
    projectId: values.projectId || undefined,
    zone: values.zone || undefined,
    region: values.region || undefined,
    sslNoVerify: values.sslNoVerify ?? false,
    version: values.version || undefined,
    caFile: values.caFile || undefined,
    proxyUrl: values.proxyUrl?.empty === false ? values.proxyUrl : undefined,
    timeoutMs: values.timeout ?? DEFAULT_TIMEOUT_MS,
    jobTimeoutMs: values.jobTimeout ?? DEFAULT_JOB_TIMEOUT_MS,
    rateLimit: {
      perSecond: values.rateLimit ?? DEFAULT_RATE_LIMIT,
      burst: values.rateLimitBurst ?? DEFAULT_RATE_LIMIT_BURST,
    },
  };
}
