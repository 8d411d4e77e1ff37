import type { Clock, Logger, Scope } from '@cloudstack-ccm/base';
import { CloudStackApiError, UnauthorizedError, type CloudStackClient } from '@cloudstack-ccm/cloudstack-client';
import { SharedRead } from './shared-read.ts';

/** A server is upgraded now and then while we run. */
const MOST_AGE_MS = 10 * 60_000;

interface VersionOptions {
  readonly client: Pick<CloudStackClient, 'listCapabilities'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** The administrator's word, which needs no call. */
  readonly pinned: () => string | undefined;
}

/** CloudStack's version: pinned in cloud-config, else what any account may ask for, else unknown. */
export class VersionSource {
  readonly #options: VersionOptions;
  readonly #answer: SharedRead<string | undefined>;
  #warned = false;

  constructor(options: VersionOptions) {
    this.#options = options;
    this.#answer = new SharedRead(options.clock, (scope) => this.#ask(scope));
  }

  /**
   * @returns for example `4.22.1.0` or `4.21.0.0-SNAPSHOT`; undefined when the server keeps it to itself
   * @throws UnauthorizedError, and the errors of a server that does not answer
   */
  async get(scope: Scope): Promise<string | undefined> {
    return this.#options.pinned() ?? this.#answer.get(scope, MOST_AGE_MS);
  }

  forget(): void {
    this.#answer.invalidate();
    this.#warned = false;
  }

  async #ask(scope: Scope): Promise<string | undefined> {
    try {
      const { cloudStackVersion } = await this.#options.client.listCapabilities(scope);
      if (!cloudStackVersion) this.#warn('the answer holds none');
      return cloudStackVersion || undefined;
    } catch (error) {
      if (!(error instanceof CloudStackApiError) || error instanceof UnauthorizedError) throw error;
      this.#warn(error.message);
      return undefined;
    }
  }

  #warn(reason: string): void {
    if (this.#warned) return;
    this.#warned = true;
    this.#options.log.warn(
      'no CloudStack version returned by the management server: it counts as the oldest supported one; set version in cloud-config if it is newer',
      { reason },
    );
  }
}
