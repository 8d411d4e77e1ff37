import { CancelledError, Scope } from '@cloudstack-ccm/base';
import { run } from './command.ts';
import { processStreams } from './streams.ts';

const stop = Scope.root();
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => stop.cancel(new CancelledError(`asked to stop by ${signal}`)));
}

// What is left in flight must not keep a process alive that has lost its lease.
process.exit(
  await run({
    args: process.argv.slice(2),
    environment: process.env,
    streams: processStreams,
    stop,
    columns: process.stdout.columns ?? 0,
  }),
);
