import { CodedError } from '@cloudstack-ccm/base';
import type { Decorator } from '@cloudstack-ccm/cloudstack-client';
import type { TestService } from './service.ts';

/** The process is dead: nothing it wanted to do happens any more. */
class ProcessDiedError extends CodedError {
  readonly code = 'PROCESS_DIED';
}

/**
 * Ends a process at the n-th of the moments before and after each call to CloudStack and each write to the Service. A
 * call that was carried out before the end counts, only its answer is never heard.
 */
export class Crash {
  readonly #at: number;
  #moments = 0;
  #dead = false;
  readonly #services: TestService[] = [];

  /** @param at 0 for never */
  constructor(at: number) {
    this.#at = at;
  }

  /** Moments that have passed. */
  get moments(): number {
    return this.#moments;
  }

  get happened(): boolean {
    return this.#dead;
  }

  readonly decorator: Decorator = (next) => async (scope, call) => {
    this.moment();
    const answer = await next(scope, call);
    this.moment();
    return answer;
  };

  watch(service: TestService): void {
    this.#services.push(service);
    service.beforeAnnotate = () => this.moment();
    service.afterAnnotate = () => this.moment();
  }

  /** The Service is looked after by another process. */
  release(service: TestService): void {
    service.beforeAnnotate = service.afterAnnotate = () => undefined;
  }

  /** One of the moments at which the process may end.
   * @throws ProcessDiedError when it is dead */
  moment(): void {
    if (!this.#dead) this.#moments++;
    if (this.#moments === this.#at) this.#dead = true;
    if (!this.#dead) return;
    const death = new ProcessDiedError('the process has died');
    for (const service of this.#services) service.interrupt(death);
    throw death;
  }
}
