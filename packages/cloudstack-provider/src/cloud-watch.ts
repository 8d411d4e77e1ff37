import type { Logger, Scope } from '@cloudstack-ccm/base';
import type { CloudStackClient } from '@cloudstack-ccm/cloudstack-client';
import type { Health } from './health.ts';
import { ZoneNotFoundError } from './inventory/errors.ts';
import type { ProjectResolver } from './inventory/project.ts';
import type { VersionSource } from './inventory/version.ts';
import { probe } from './probe.ts';

interface CloudWatchOptions {
  readonly client: CloudStackClient;
  readonly health: Health;
  readonly project: ProjectResolver;
  readonly version: VersionSource;
  /** The zone of this controller. @throws ZoneNotFoundError */
  readonly zone: (scope: Scope) => Promise<string>;
  readonly log: Logger;
}

/** An idle cloud is asked so often whether it is still there. */
const PERIOD_MS = 30_000;

/**
 * Looks whether CloudStack answers, and says once what answered. Its failures are for the loop around it, which logs
 * them and tries again with growing pauses.
 */
export class CloudWatch {
  readonly #options: CloudWatchOptions;
  #zoneUnknown = false;

  constructor(options: CloudWatchOptions) {
    this.#options = options;
  }

  async run(scope: Scope): Promise<void> {
    await this.#introduce(scope);
    for (;;) {
      await scope.sleep(PERIOD_MS);
      await this.#probeIfIdle(scope);
      if (this.#zoneUnknown) await this.#lookForZone(scope);
    }
  }

  async #introduce(scope: Scope): Promise<void> {
    const { client, log, project, version } = this.#options;
    await probe(scope, client);
    const projectId = await project.get(scope);
    log.info('CloudStack answers', {
      host: client.host,
      version: (await version.get(scope)) ?? 'unknown',
      zone: await this.#zone(scope),
      ...(projectId !== undefined && { project: projectId }),
    });
  }

  /** Nothing waits for the zone, so that it is unknown holds nothing up. It is told once, and looked for again. */
  async #zone(scope: Scope): Promise<string> {
    const { log, zone } = this.#options;
    try {
      const found = await zone(scope);
      this.#zoneUnknown = false;
      return found;
    } catch (error) {
      if (!(error instanceof ZoneNotFoundError)) throw error;
      if (!this.#zoneUnknown) {
        log.warn('The zone of this controller is unknown; nodes take the zones of their machines', {
          reason: error.message,
        });
      }
      this.#zoneUnknown = true;
      return 'unknown';
    }
  }

  async #lookForZone(scope: Scope): Promise<void> {
    const zone = await this.#zone(scope);
    if (!this.#zoneUnknown) this.#options.log.info('The zone of this controller is known now', { zone });
  }

  async #probeIfIdle(scope: Scope): Promise<void> {
    const { client, health } = this.#options;
    const answered = health.sinceAnswer() ?? Infinity;
    if (health.problem() !== undefined || answered >= PERIOD_MS) await probe(scope, client);
  }
}
