import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@cloudstack-ccm/base';

/**
 * Looks again and again until `check` no longer throws, and returns what it returned.
 * @throws an error that tells for how long it waited for what, and the last failure.
 */
export async function waitFor<T>(what: string, check: () => T | Promise<T>, timeoutMs = 20_000): Promise<T> {
  const start = performance.now();
  for (;;) {
    try {
      return await check();
    } catch (thrown) {
      if (performance.now() - start > timeoutMs) {
        const text = `It did not become true within ${timeoutMs / 1000} s that ${what}\n${messageOf(thrown)}`;
        throw new Error(text, { cause: thrown });
      }
    }
    await pause(50);
  }
}

/** Makes sure that `check` does not throw for that long: for what must not happen. */
export async function stays(what: string, check: () => unknown, forMs: number): Promise<void> {
  const start = performance.now();
  do {
    try {
      await check();
    } catch (thrown) {
      throw new Error(`It did not stay true that ${what}\n${messageOf(thrown)}`, { cause: thrown });
    }
    await pause(100);
  } while (performance.now() - start < forMs);
}
