import type { Scope } from '@cloudstack-ccm/base';

/** One key's place among those at work. */
export interface Place {
  /**
   * Lets another key have the place, for as long as this one only waits its turn for something that others hold.
   * @returns what takes a place again, before all who have not begun: whoever comes back may hold what they wait for.
   */
  stepAside(): (scope: Scope) => Promise<void>;
}

/** At most so many keys at work at a time; those that stepped aside do not count. */
export class WorkerPlaces {
  readonly #limit: number;
  #taken = 0;
  readonly #returning = new Set<() => void>();
  readonly #beginning = new Set<() => void>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Resolves when a place is free, without taking it. */
  async vacancy(scope: Scope): Promise<void> {
    const place = await this.enter(scope);
    place.leave();
  }

  /** @throws the scope's reason if it ends first. */
  async enter(scope: Scope): Promise<Place & { leave(): void }> {
    await this.#take(scope, this.#beginning);
    let held = true;
    const leave = (): void => {
      if (held) this.#release();
      held = false;
    };
    const comeBack = async (own: Scope): Promise<void> => {
      if (held) return;
      await this.#take(own, this.#returning);
      held = true;
    };
    return {
      leave,
      stepAside: () => {
        leave();
        return comeBack;
      },
    };
  }

  async #take(scope: Scope, line: Set<() => void>): Promise<void> {
    scope.throwIfCancelled();
    if (this.#taken < this.#limit) {
      this.#taken++;
      return;
    }
    await scope.race((resolve) => {
      const waiter = (): void => resolve();
      line.add(waiter);
      return () => line.delete(waiter);
    });
  }

  /** Hands the place on, so that nobody overtakes. */
  #release(): void {
    const line = this.#returning.size > 0 ? this.#returning : this.#beginning;
    const [next] = line;
    if (!next) {
      this.#taken--;
      return;
    }
    line.delete(next);
    next();
  }
}
