import { sleep } from './controller-process.ts';
import type { Stage } from './stage.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const LONGEST_MS = 15 * 60_000;

/** Waits until so many Services have an address. */
export async function allServed({ plane: { client } }: Stage, count: number): Promise<void> {
  for (const end = performance.now() + LONGEST_MS; performance.now() < end; await sleep(250)) {
    const list = JSON.stringify(await client.get(SERVICES));
    if (list.split('"ingress":[').length - 1 >= count) return;
  }
  throw new Error(`Not all of ${count} Services were served within ${LONGEST_MS / 60_000} minutes`);
}
