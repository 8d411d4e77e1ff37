import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below what Linux (32768) and macOS (49152) hand out by themselves: there, any outgoing connection could take the
// port between this check and its use, or while a stopped server is about to come back on it.
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** A TCP port of the loopback address that nobody listens on now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
