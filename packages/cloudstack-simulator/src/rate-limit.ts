import type { Clock } from '@cloudstack-ccm/base';
import { serverError } from './api-error.ts';
import type { Settings } from './settings.ts';

interface Window {
  readonly ends: number;
  calls: number;
}

/** The rate limit plug-in: so many calls for an account in a window that starts with the first of them. */
export class RateLimit {
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a call. @throws ApiError 429 if there were too many. */
  count(accountId: string, settings: Settings, calls = 1): void {
    if (!settings.throttlingEnabled) return;
    const now = this.#clock.monotonic();
    const window = this.#window(accountId, now, settings.throttlingIntervalSeconds);
    window.calls += calls;
    if (window.calls > settings.throttlingMax) throw tooManyCalls(window.ends - now);
  }

  /** The state of an account's window, for getApiLimit. */
  usage(accountId: string): { readonly calls: number; readonly expiresMs: number } {
    const window = this.#windows.get(accountId);
    const left = (window?.ends ?? 0) - this.#clock.monotonic();
    return window && left > 0 ? { calls: window.calls, expiresMs: Math.ceil(left) } : { calls: 0, expiresMs: 0 };
  }

  reset(accountId: string): void {
    this.#windows.delete(accountId);
  }

  #window(accountId: string, now: number, seconds: number): Window {
    const current = this.#windows.get(accountId);
    if (current && current.ends > now) return current;
    const fresh = { ends: now + seconds * 1000, calls: 0 };
    this.#windows.set(accountId, fresh);
    return fresh;
  }
}

export function tooManyCalls(retryMs: number): Error {
  const text = `The given user has reached his/her account api limit, please retry after [${Math.ceil(retryMs)}] ms.`;
  return serverError(429, text);
}
