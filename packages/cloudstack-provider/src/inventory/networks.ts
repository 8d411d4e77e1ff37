import type { Clock, Scope } from '@cloudstack-ccm/base';
import type { Commands, Network } from '@cloudstack-ccm/cloudstack-client';
import { SharedRead, type ReadObserver } from './shared-read.ts';

interface Entry {
  readonly read: SharedRead<Network | undefined>;
  usedAt: number;
}

/** Nobody asked for it for so long: forget it. */
const UNUSED_MS = 10 * 60_000;

/** Networks by id, each read once for all who want it. */
export class Networks {
  readonly #client: Pick<Commands, 'listNetworks'>;
  readonly #clock: Clock;
  readonly #observer: ReadObserver | undefined;
  readonly #entries = new Map<string, Entry>();

  constructor(client: Pick<Commands, 'listNetworks'>, clock: Clock, observer?: ReadObserver) {
    this.#client = client;
    this.#clock = clock;
    this.#observer = observer;
  }

  /** @returns undefined when these credentials do not see it: CloudStack does not tell that from "does not exist" */
  get(scope: Scope, id: string, maxAgeMs: number): Promise<Network | undefined> {
    this.#forgetUnused();
    return this.#entry(id).read.get(scope, maxAgeMs);
  }

  invalidate(id: string): void {
    this.#entries.delete(id);
  }

  forget(): void {
    this.#entries.clear();
  }

  get size(): number {
    return this.#entries.size;
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id) ?? {
      read: new SharedRead(this.#clock, (scope) => this.#read(scope, id), this.#observer),
      usedAt: 0,
    };
    entry.usedAt = this.#clock.monotonic();
    this.#entries.set(id, entry);
    return entry;
  }

  async #read(scope: Scope, id: string): Promise<Network | undefined> {
    const [network] = await this.#client.listNetworks(scope, { id, listAll: true });
    return network;
  }

  #forgetUnused(): void {
    for (const [id, { usedAt }] of this.#entries) {
      if (this.#clock.monotonic() - usedAt > UNUSED_MS) this.#entries.delete(id);
    }
  }
}
