import type { Scope } from '@cloudstack-ccm/base';

import type { ControllerName } from './options/controller-names.ts';

/** One control loop, as the manager starts and stops it. */
export interface Controller {
  readonly name: ControllerName;
  /** Works until the scope ends, or until `drain` was called and the work at hand is done. */
  run(scope: Scope): Promise<void>;
  /** Takes no new work; `run` ends with the work at hand. */
  drain(): void;
  /** What an operator should know though the controller is healthy; undefined for nothing. */
  note?(): string | undefined;
}
