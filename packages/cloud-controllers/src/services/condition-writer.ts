import { messageOf, type Clock, type Logger, type Scope } from '@cloudstack-ccm/base';
import { keyOf, type Condition, type Service } from '@cloudstack-ccm/kubernetes';

import { changedConditions, ownTypes, shownBy, statesOf, type Outcome, type Shown } from './conditions.ts';
import type { ServiceWriter } from './service-writer.ts';

interface ConditionWriterOptions {
  /** Undefined for a cloud whose Services get no conditions. */
  readonly domain: string | undefined;
  readonly writer: Pick<ServiceWriter, 'setStatus'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The conditions that Services get from us; those of others stay as they are. */
export class ConditionWriter {
  readonly #options: ConditionWriterOptions;

  constructor(options: ConditionWriterOptions) {
    this.#options = options;
  }

  shown({ status }: Service): Shown {
    const { domain } = this.#options;
    return domain === undefined ? { failure: undefined, warnings: [] } : shownBy(domain, status.conditions);
  }

  /** The types of ours that it has. */
  own({ status }: Service): readonly string[] {
    const { domain } = this.#options;
    return domain === undefined ? [] : ownTypes(domain, status.conditions);
  }

  /** What has to be written for this outcome. */
  changed({ status }: Service, outcome: Outcome): readonly Condition[] {
    const { domain, clock } = this.#options;
    return domain === undefined ? [] : changedConditions(status.conditions, statesOf(domain, outcome), clock.now());
  }

  /** Shows how a sync has failed. That this cannot be written must not hide the failure itself. */
  async write(scope: Scope, service: Service, outcome: Outcome): Promise<void> {
    try {
      await this.#options.writer.setStatus(scope, service, { conditions: this.changed(service, outcome) });
    } catch (thrown) {
      this.#options.log.warn('Could not write the conditions of a Service', {
        service: keyOf(service),
        err: messageOf(thrown),
      });
    }
  }
}
