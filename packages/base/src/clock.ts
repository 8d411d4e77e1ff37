/** A handle for something that will happen later. Cancelling twice is harmless. */
export interface Timer {
  cancel(): void;
}

/**
 * The only source of time. Everything that waits or measures takes a Clock, so that tests decide when time passes.
 */
export interface Clock {
  /** Wall time in milliseconds since the Unix epoch. It can jump: use it for stamps that leave the process only. */
  now(): number;
  /** Milliseconds since an arbitrary start. It never goes back: use it for deadlines, ages and durations. */
  monotonic(): number;
  /** Calls back once after `delayMs` milliseconds. The timer keeps the process alive. */
  setTimer(delayMs: number, callback: () => void): Timer;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(delayMs, callback) {
    // Node turns delays beyond 2^31-1 ms into 1 ms.
    const handle = setTimeout(callback, Math.min(delayMs, 2 ** 31 - 1));
    return { cancel: () => clearTimeout(handle) };
  },
};
