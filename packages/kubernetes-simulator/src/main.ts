import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startKubernetesSimulator } from './simulator.ts';

const USAGE = `Usage: npm run kubernetes-simulator -- [--port 0] [--kubeconfig FILE]

Runs a Kubernetes API in this process: nodes, services, events, leases and what they need. Nothing runs pods.

  --port         the port to listen on, on loopback; 0 takes any that is free
  --kubeconfig   where to write the kubeconfig; a temporary file by default
`;

await main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { port: { type: 'string' }, kubeconfig: { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.help) return void process.stdout.write(USAGE);
  const simulator = await startKubernetesSimulator({ port: Number(values.port ?? 0) });
  const folder =
    values.kubeconfig === undefined ? mkdtempSync(path.join(tmpdir(), 'kubernetes-simulator-')) : undefined;
  const file = values.kubeconfig ?? path.join(folder ?? '', 'kubeconfig');
  writeFileSync(file, simulator.kubeconfig(), { mode: 0o600 });
  process.stdout.write(greeting(simulator.url, file));
  const stop = (): void => {
    if (folder) rmSync(folder, { recursive: true, force: true });
    void simulator.close();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

function greeting(url: string, file: string): string {
  return `Kubernetes simulator on ${url}

  export KUBECONFIG=${file}
  kubectl get nodes,services --all-namespaces

Ctrl-C ends it.
`;
}
