import { CancelledError, type Clock } from '@cloudstack-ccm/base';
import { CloudStackApiError, type Decorator, UnauthorizedError } from '@cloudstack-ccm/cloudstack-client';

/** Whether CloudStack answers, judged by the calls that are made anyway. */
export class Health {
  readonly #clock: Clock;
  readonly #host: () => string;
  #problem: string | undefined;
  #answeredAt: number | undefined;

  constructor(clock: Clock, host: () => string) {
    this.#clock = clock;
    this.#host = host;
  }

  /** Sees each call that goes out. */
  readonly observe: Decorator = (next) => async (scope, call) => {
    try {
      const answer = await next(scope, call);
      this.#answered();
      return answer;
    } catch (error) {
      this.#judge(error);
      throw error;
    }
  };

  /** One sentence about what is wrong; undefined when the cloud answers. */
  problem(): string | undefined {
    if (this.#problem !== undefined) return this.#problem;
    return this.#answeredAt === undefined ? `CloudStack at ${this.#host()} has not answered yet` : undefined;
  }

  /** Milliseconds since the last answer; undefined when there was none. */
  sinceAnswer(): number | undefined {
    return this.#answeredAt === undefined ? undefined : this.#clock.monotonic() - this.#answeredAt;
  }

  #answered(): void {
    this.#answeredAt = this.#clock.monotonic();
    this.#problem = undefined;
  }

  #judge(error: unknown): void {
    if (error instanceof UnauthorizedError) {
      this.#problem = `${this.#host()} refuses the API key: ${error.message}; check api-key, secret-key and the clocks`;
    } else if (error instanceof CloudStackApiError) {
      this.#answered();
    } else if (error instanceof Error && !(error instanceof CancelledError)) {
      this.#problem = error.message;
    }
  }
}
