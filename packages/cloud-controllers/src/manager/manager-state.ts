/**
 * The life of a manager. It only goes forward:
 *
 * - `starting`: binds its port, learns whom to believe. Alive, not ready.
 * - `standby`: serves, and waits for the lease. Ready: it can take over.
 * - `leading`: the controllers run. Ready when the caches are filled and the cloud answers.
 * - `stopping`: asked to stop; work at hand comes to its end while the lease is still held.
 * - `stopped`: everything has ended, the lease is released.
 * - `lost`: the lease was lost, or something cannot go on. Nothing is written any more and nobody waits; the process
 *   is to end at once.
 */
export type ManagerState = 'starting' | 'standby' | 'leading' | 'stopping' | 'stopped' | 'lost';

const NEXT: Readonly<Record<ManagerState, readonly ManagerState[]>> = {
  starting: ['standby', 'stopping', 'lost'],
  standby: ['leading', 'stopping', 'lost'],
  leading: ['stopping', 'lost'],
  stopping: ['stopped', 'lost'],
  stopped: [],
  lost: [],
};

/** True if a manager may go from one state to the other. */
export function mayFollow(from: ManagerState, to: ManagerState): boolean {
  return NEXT[from].includes(to);
}
