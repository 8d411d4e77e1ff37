import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Tries to become the one who builds. The lock is a file that holds the owner's process id.
 *
 * Two builders at once do no harm, as the result is put in place by one rename: so a lock whose owner is gone may be
 * taken over without more care than this.
 * @returns what gives the lock back; undefined while another living process holds it.
 */
export function tryLock(path: string): (() => void) | undefined {
  mkdirSync(dirname(path), { recursive: true });
  if (create(path)) return () => rmSync(path, { force: true });
  if (ownerLives(path)) return undefined;
  rmSync(path, { force: true });
  return create(path) ? () => rmSync(path, { force: true }) : undefined;
}

function create(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST') return false;
    throw thrown;
  }
}

function ownerLives(path: string): boolean {
  try {
    const owner = Number(readFileSync(path, 'utf8'));
    // Just created and not written yet reads as 0: its owner is alive.
    return owner === 0 || process.kill(owner, 0);
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}
