import { readGcfg, type Entry, type GcfgFile } from './gcfg.ts';
import type { Place } from './gcfg-scanner.ts';
import { KEYS, type Key } from './keys.ts';

export interface CloudConfigOptions {
  /** The name of the file, for messages. */
  readonly file: string;
  /** True makes unknown keys and sections a warning. Default false: they are errors, as in the Go CCM. */
  readonly allowUnknown?: boolean;
}

/** What the file says, key by key. */
export type Values = {
  readonly [K in keyof typeof KEYS]: (typeof KEYS)[K] extends Key<infer T> ? T | undefined : never;
};

/** Of problems with what is not in the file. */
const NOWHERE: Place = { line: 0, column: 0 };

/** A cloud-config as far as its own text tells: files and environment are not looked at yet. */
export class Draft {
  readonly values: Values;
  /** Sentences for the log, each with its place, none with a value. */
  readonly warnings: string[] = [];
  readonly #problems: { readonly place: Place; readonly message: string }[] = [];
  readonly #options: CloudConfigOptions;
  readonly #entries: readonly Entry[];

  constructor(text: string, options: CloudConfigOptions) {
    const file = readGcfg(text);
    this.#options = options;
    this.#entries = file.entries.filter((entry) => entry.section.toLowerCase() === 'global');
    this.#reportSyntax(file);
    this.#reportUnknown(file.entries);
    this.#reportCut();
    this.values = this.#read();
  }

  get file(): string {
    return this.#options.file;
  }

  /** Sentences about what is wrong, each with its place, in the order of the file, none with a value. */
  get problems(): readonly string[] {
    const inOrder = this.#problems.toSorted((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
    return inOrder.map(({ place, message }) => (place.line === 0 ? message : this.#at(place, message)));
  }

  /** Adds a problem with what a key names, at the place where it stands. */
  problemWith(key: Key<unknown>, message: string): void {
    const entry = this.#entries.findLast(({ name }) => name.toLowerCase() === key.name);
    this.#problems.push({ place: entry?.place ?? NOWHERE, message });
  }

  /** True if the key stands in the file at all, however it is written. */
  mentions(key: Key<unknown>): boolean {
    return this.#entries.some(({ name, value }) => name.toLowerCase() === key.name && value !== '');
  }

  #read(): Values {
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
      apiKeyFile: this.#value(KEYS.apiKeyFile),
      secretKeyFile: this.#value(KEYS.secretKeyFile),
      nodeNetworks: this.#value(KEYS.nodeNetworks),
      nodeNetworksExclude: this.#value(KEYS.nodeNetworksExclude),
      nodeNetworkOrder: this.#value(KEYS.nodeNetworkOrder),
      nodeAddressFamilies: this.#value(KEYS.nodeAddressFamilies),
      nodeExternalAddresses: this.#value(KEYS.nodeExternalAddresses),
      nodeSecondaryAddresses: this.#value(KEYS.nodeSecondaryAddresses),
      nodeHostLabel: this.#value(KEYS.nodeHostLabel),
      nodeAffinityGroupLabel: this.#value(KEYS.nodeAffinityGroupLabel),
      nodeTagLabelPrefixes: this.#value(KEYS.nodeTagLabelPrefixes),
      nodeDeletionHoldCount: this.#value(KEYS.nodeDeletionHoldCount),
      nodeDeletionHoldPercent: this.#value(KEYS.nodeDeletionHoldPercent),
      nodeDeletionHoldWindow: this.#value(KEYS.nodeDeletionHoldWindow),
    };
  }

  /** The value of a key: the last one wins, but each must be readable. */
  #value<T>(key: Key<T>): T | undefined {
    let last: T | undefined;
    for (const { name, value, place } of this.#entries) {
      if (name.toLowerCase() !== key.name) continue;
      const read = value === undefined ? key.alone : key.read(value);
      if (read === undefined) this.#problems.push({ place, message: `${key.name} must be ${key.expected}` });
      last = read;
    }
    return last;
  }

  #reportSyntax({ problems }: GcfgFile): void {
    this.#problems.push(...problems);
  }

  #reportUnknown(entries: readonly Entry[]): void {
    const known = new Set<string>(Object.values(KEYS).map((key) => key.name));
    for (const { section, name, place } of entries) {
      if (section.toLowerCase() !== 'global') this.#unknown(place, `unknown section [${section}]`);
      else if (!known.has(name.toLowerCase())) this.#unknown(place, `unknown key ${name}`);
    }
  }

  #unknown(place: Place, message: string): void {
    if (this.#options.allowUnknown) this.warnings.push(this.#at(place, message));
    else this.#problems.push({ place, message });
  }

  #reportCut(): void {
    for (const { name, cutAt } of this.#entries) {
      if (!cutAt) continue;
      const advice = `${name} ends here, since a comment begins: put the value in double quotes if this sign is a part of it`;
      this.warnings.push(this.#at(cutAt, advice));
    }
  }

  #at({ line, column }: Place, message: string): string {
    return `${this.file}:${line}:${column}: ${message}`;
  }
}
