import { asError, Scope } from '@cloudstack-ccm/base';
import { hideSecrets } from '@cloudstack-ccm/cloudstack-client';

import { BUILD } from './build.ts';
import { run } from './run.ts';

/** What a Go program ends with that panics. */
const PANIC = 2;

const stop = Scope.root();

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    // Asked twice means at once.
    if (stop.cancelled) process.exit(1);
    stop.cancel();
  });
}

for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (thrown: unknown) => {
    // A state that nobody has foreseen must not go on; the next leader takes over.
    const report = `${event}: ${asError(thrown).stack ?? String(thrown)}\n`;
    // What a library throws may name the URL that it was given, which is a signed one.
    process.stderr.write(hideSecrets(report, []));
    process.exit(PANIC);
  });
}

// Whoever reads the log may go away.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const code = await run(process.argv.slice(2), {
  env: process.env,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  columns: process.stdout.columns ?? 0,
  build: BUILD,
  stop,
});
process.exit(code);
