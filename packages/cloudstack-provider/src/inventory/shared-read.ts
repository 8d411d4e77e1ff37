import { type Clock, Scope } from '@cloudstack-ccm/base';

interface Reading<T> {
  readonly startedAt: number;
  readonly value: Promise<T>;
  pending: boolean;
}

/** Told what becomes of each wish for the value, to count by. */
export interface ReadObserver {
  /** `joined`: one that ran already was shared; `kept`: the value was still young enough. */
  served(how: 'joined' | 'kept'): void;
  read(result: 'success' | 'failure'): void;
}

/**
 * A value that is costly to read and wanted by many: one reading at a time, shared by all who can live with its age.
 * Age counts from the start of the reading, but one that still runs is joined by all but those who ask for a new one:
 * a slow cloud must not be asked ever more often. A reading belongs to nobody, so a caller that goes away ends only its
 * own wait. A failed reading is not kept.
 */
export class SharedRead<T> {
  readonly #clock: Clock;
  readonly #read: (scope: Scope) => Promise<T>;
  readonly #observer: ReadObserver | undefined;
  #latest: Reading<T> | undefined;

  constructor(clock: Clock, read: (scope: Scope) => Promise<T>, observer?: ReadObserver) {
    this.#clock = clock;
    this.#read = read;
    this.#observer = observer;
  }

  /**
   * @param maxAgeMs how long ago the reading may have begun; 0 asks for one that begins now.
   * @param since monotonic time after which it must have begun, even if it still runs
   */
  get(scope: Scope, maxAgeMs: number, since = -Infinity): Promise<T> {
    const acceptable = this.#acceptable(maxAgeMs, since);
    if (acceptable) this.#observer?.served(acceptable.pending ? 'joined' : 'kept');
    return scope.wait((acceptable ?? this.#start()).value);
  }

  /** How long ago the latest reading began, in milliseconds; undefined when there is none. */
  ageMs(): number | undefined {
    return this.#latest && this.#clock.monotonic() - this.#latest.startedAt;
  }

  /** Makes the next caller read anew, whatever age it accepts. */
  invalidate(): void {
    this.#latest = undefined;
  }

  #acceptable(maxAgeMs: number, since: number): Reading<T> | undefined {
    const latest = this.#latest;
    if (!latest || maxAgeMs <= 0 || latest.startedAt <= since) return undefined;
    return latest.pending || this.#clock.monotonic() - latest.startedAt < maxAgeMs ? latest : undefined;
  }

  #start(): Reading<T> {
    const startedAt = this.#clock.monotonic();
    const reading = { startedAt, value: this.#read(Scope.root(this.#clock)), pending: true };
    this.#latest = reading;
    void this.#settle(reading);
    return reading;
  }

  async #settle(reading: Reading<T>): Promise<void> {
    try {
      await reading.value;
      this.#observer?.read('success');
    } catch {
      this.#observer?.read('failure');
      if (this.#latest === reading) this.#latest = undefined;
    } finally {
      reading.pending = false;
    }
  }
}
