import { CancelledError, messageOf, Scope } from '@cloudstack-ccm/base';
import { Controller } from './controller.ts';
import { runDemo } from './demo.ts';

const { KUBECONFIG: kubeconfig, CLOUD_CONFIG: cloudConfig, ONCE: once, ARGS: args = '' } = process.env;
const flags = args.split(/\s+/).filter((flag) => flag !== '');

const scope = Scope.root();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => scope.cancel(new CancelledError(`stopped by ${signal}`)));
}

/** Runs the controller against a real cluster and a real cloud, its log on this terminal. */
async function runAgainstReal(clusterFile: string, cloudFile: string): Promise<number> {
  const controller = new Controller({ kubeconfig: clusterFile, cloudConfig: cloudFile, flags });
  scope.onCancel(() => void controller.stop());
  return await controller.ended;
}

async function main(): Promise<number> {
  if (cloudConfig && kubeconfig) return await runAgainstReal(kubeconfig, cloudConfig);
  if (cloudConfig) {
    process.stderr.write('CLOUD_CONFIG is given without KUBECONFIG: give both, or none for the embedded ones.\n');
    return 2;
  }
  return await runDemo({ once: once !== undefined && once !== '0', flags, scope });
}

try {
  process.exitCode = await main();
} catch (thrown) {
  process.stderr.write(`${messageOf(thrown)}\n`);
  process.exitCode = 1;
}
