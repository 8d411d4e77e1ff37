import { setImmediate } from 'node:timers/promises';

const LIMIT_MS = 10_000;

/** Lets real input and output go on until `condition` holds. @throws when it does not within 10 s. */
export async function until(condition: () => boolean, what = String(condition)): Promise<void> {
  const endsAt = performance.now() + LIMIT_MS;
  while (!condition()) {
    if (performance.now() > endsAt) throw new Error(`never came true: ${what}`);
    await setImmediate();
  }
}
