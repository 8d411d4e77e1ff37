import type { Clock } from '@cloudstack-ccm/base';
import type { Random } from './random.ts';

/** Sessions unused for longer are over under any setting. */
const LONGEST_IDLE_MS = 24 * 3_600_000;

interface Session {
  readonly userId: string;
  readonly key: string;
  lastUsed: number;
}

/** Logins of the web interface's kind. They end when they are not used, and with the process. */
export class Sessions {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #sessions = new Map<string, Session>();

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** @returns the values of the cookies JSESSIONID and sessionkey. */
  open(userId: string): { readonly id: string; readonly key: string } {
    this.#dropExpired();
    const id = `node0${this.#random.key().toLowerCase().slice(0, 30)}`;
    const key = this.#random.key().slice(0, 27);
    this.#sessions.set(id, { userId, key, lastUsed: this.#clock.monotonic() });
    return { id, key };
  }

  has(id: string | undefined): boolean {
    return id !== undefined && this.#sessions.has(id);
  }

  /**
   * The user behind a session. Every key that is sent must be the right one; a wrong one ends the session.
   * @returns undefined if there is no such session (any more).
   */
  use(id: string, keys: readonly (string | undefined)[], timeoutMinutes: number): string | undefined {
    const session = this.#sessions.get(id);
    if (!session) return undefined;
    const sent = keys.filter((key) => key !== undefined);
    const expired = this.#clock.monotonic() - session.lastUsed > timeoutMinutes * 60_000;
    if (expired || sent.length === 0 || sent.some((key) => key !== session.key)) {
      this.#sessions.delete(id);
      return undefined;
    }
    session.lastUsed = this.#clock.monotonic();
    return session.userId;
  }

  #dropExpired(): void {
    const now = this.#clock.monotonic();
    for (const [id, { lastUsed }] of this.#sessions) if (now - lastUsed > LONGEST_IDLE_MS) this.#sessions.delete(id);
  }

  close(id: string): void {
    this.#sessions.delete(id);
  }

  clear(): void {
    this.#sessions.clear();
  }
}
