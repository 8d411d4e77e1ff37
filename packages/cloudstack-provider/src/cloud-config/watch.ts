import { type Logger, messageOf, type Scope } from '@cloudstack-ccm/base';
import type { Notice } from '@cloudstack-ccm/cloud-controllers';
import { loadCloudConfig, type LoadedCloudConfig, type LoadOptions } from './load.ts';

interface WatchOptions {
  readonly path: string;
  /** How it was loaded before. */
  readonly load: LoadOptions;
  readonly log: Logger;
  /** The configuration in use. */
  readonly current: () => LoadedCloudConfig;
  /** Takes a changed configuration into use. When it throws, the change is tried again. */
  readonly adopt: (scope: Scope, config: LoadedCloudConfig) => Promise<void>;
  /** Told the end of each attempt. */
  readonly attempted: (result: 'success' | 'failure') => void;
  /** Tells an administrator: each change that was taken into use, and once each reason why one was not. */
  readonly notify: (notice: Notice) => void;
}

/** Kubernetes replaces mounted Secrets within about a minute. Reading a small file is cheaper than missing a change. */
const PERIOD_MS = 10_000;

/**
 * Looks for changes of the cloud-config and of the files that it names, by content: a mounted Secret is a link that
 * moves, which file watchers miss. The old configuration stays in use until a new one was adopted.
 */
export class CloudConfigWatcher {
  readonly #options: WatchOptions;
  #complaint = '';

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Watches until the scope ends. */
  async run(scope: Scope): Promise<void> {
    for (;;) {
      await this.#check(scope);
      await scope.sleep(PERIOD_MS);
    }
  }

  async #check(scope: Scope): Promise<void> {
    const { path, load, log, current, adopt, attempted } = this.#options;
    try {
      const { config, warnings } = await loadCloudConfig(path, load);
      if (config.source.equals(current().source)) return;
      for (const warning of warnings) log.warn(warning);
      await adopt(scope, config);
      this.#complaint = '';
      attempted('success');
      this.#tell('Normal', 'CloudConfigReloaded', 'Took a changed cloud-config into use');
    } catch (error) {
      scope.throwIfCancelled();
      attempted('failure');
      this.#complain(error);
    }
  }

  /** Once for each problem, not every ten seconds. */
  #complain(error: unknown): void {
    const { log, path } = this.#options;
    const complaint = messageOf(error);
    if (complaint === this.#complaint) return;
    this.#complaint = complaint;
    log.error('Kept the old cloud-config', error, { file: path });
    this.#tell('Warning', 'CloudConfigRefused', `Kept the old cloud-config: ${complaint}`);
  }

  #tell(type: Notice['type'], reason: string, message: string): void {
    this.#options.notify({ type, reason, message });
  }
}
