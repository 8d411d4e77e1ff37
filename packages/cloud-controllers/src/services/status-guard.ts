import { backoffDelay } from '@cloudstack-ccm/base';
import type { LoadBalancerIngress } from '@cloudstack-ccm/kubernetes';

import { sameIngress } from './ingress.ts';

const PAUSE = { baseMs: 1000, capMs: 300_000, jitter: 0.25 };

/** A status that was left alone for so long is not fought over any more. */
const PEACE_MS = 600_000;

interface Shown {
  readonly ingress: readonly LoadBalancerIngress[];
  /** Times that it was overwritten without ten minutes of peace between them. */
  readonly overwritten: number;
  readonly since: number;
}

/**
 * What the status of each Service was given last. Another writer's addresses would send clients elsewhere, so they are
 * put right; each time after a longer pause, for the other may be a controller that does the same. Kubernetes' own
 * service controller leaves them until the Service changes or the process starts anew.
 */
export class StatusGuard {
  readonly #shown = new Map<string, Shown>();

  note(key: string, ingress: readonly LoadBalancerIngress[]): void {
    const { overwritten = 0, since = 0 } = this.#shown.get(key) ?? {};
    this.#shown.set(key, { ingress, overwritten, since });
  }

  forget(key: string): void {
    this.#shown.delete(key);
  }

  /**
   * The status has changed. @param now a monotonic time in milliseconds
   * @returns after how many milliseconds to put it right; undefined if it is as it was given
   */
  pauseAfter(key: string, ingress: readonly LoadBalancerIngress[], now: number): number | undefined {
    const shown = this.#shown.get(key);
    if (!shown || sameIngress(shown.ingress, ingress)) return undefined;
    const overwritten = now - shown.since > PEACE_MS ? 0 : shown.overwritten;
    this.#shown.set(key, { ...shown, overwritten: overwritten + 1, since: now });
    return backoffDelay(PAUSE, overwritten);
  }
}
