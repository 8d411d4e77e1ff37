import { type Logger, messageOf, type Scope } from '@cloudstack-ccm/base';
import { loadCloudConfig, type LoadedCloudConfig } from './load.ts';

interface WatchOptions {
  readonly path: string;
  readonly allowUnknown: boolean;
  readonly log: Logger;
  /** The configuration in use. */
  readonly current: () => LoadedCloudConfig;
  /** Takes a changed configuration into use. When it throws, the change is tried again. */
  readonly adopt: (scope: Scope, config: LoadedCloudConfig) => Promise<void>;
  /** Told the end of each attempt. */
  readonly attempted: (result: 'success' | 'failure') => void;
}

/** Kubernetes replaces mounted Secrets within about a minute. Reading a small file is cheaper than missing a change. */
const PERIOD_MS = 10_000;

/**
 * Looks for changes of the cloud-config and of the file with authorities, by content: a mounted Secret is a link that
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
    const { path, allowUnknown, log, current, adopt, attempted } = this.#options;
    try {
      const { config, warnings } = await loadCloudConfig(path, { allowUnknown });
      if (same(config, current())) return;
      for (const warning of warnings) log.warn(warning);
      await adopt(scope, config);
      this.#complaint = '';
      attempted('success');
    } catch (error) {
      scope.throwIfCancelled();
      attempted('failure');
      // Once for each problem, not every ten seconds.
      if (messageOf(error) !== this.#complaint) log.error('Kept the old cloud-config', error, { file: path });
      this.#complaint = messageOf(error);
    }
  }
}

function same(left: LoadedCloudConfig, right: LoadedCloudConfig): boolean {
  return left.source.equals(right.source) && left.certificateAuthorities === right.certificateAuthorities;
}
