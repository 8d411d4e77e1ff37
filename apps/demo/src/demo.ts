import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scope } from '@cloudstack-ccm/base';
import { freePort } from '@cloudstack-ccm/control-plane';
import { startCluster, type DemoCluster } from './cluster.ts';
import { Controller } from './controller.ts';
import { look } from './look.ts';
import { missing, type Picture } from './picture.ts';
import { render } from './render.ts';
import { CloudScene, MACHINES } from './scene.ts';
import { Screen } from './screen.ts';
import { createServices, registerNode } from './seed.ts';

const PERIOD_MS = 500;
const CONVERGE_WITHIN_MS = 120_000;

export interface DemoOptions {
  /** Wait until the scene has converged, print it and end. */
  readonly once: boolean;
  /** More flags for the controller. */
  readonly flags: readonly string[];
  /** Ends when the reader wants to stop. */
  readonly scope: Scope;
}

/** Everything of a running demo. */
interface Stage {
  readonly cluster: DemoCluster;
  readonly cloud: CloudScene;
  readonly controller: Controller;
  readonly logFile: string;
}

/**
 * Two embedded clouds, the controller between them, and a view of both.
 * @returns the exit code: 1 when the scene did not converge in time or the controller ended by itself.
 */
export async function runDemo(options: DemoOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'cloudstack-ccm-demo-'));
  say('Starting the embedded CloudStack and the embedded Kubernetes API …');
  await using cluster = await startCluster();
  const cloud = await CloudScene.start();
  try {
    await seed(cluster, cloud);
    const controller = await startController(cluster, cloud, folder, options.flags);
    const stage = { cluster, cloud, controller, logFile: logIn(folder) };
    try {
      return await (options.once ? showOnce(stage, options.scope) : showLive(stage, options.scope));
    } finally {
      await controller.stop();
    }
  } finally {
    await cloud.simulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function seed({ client }: DemoCluster, cloud: CloudScene): Promise<void> {
  for (const name of MACHINES) await registerNode(client, name, cloud.machineAddress(name));
  await createServices(client);
}

async function startController(
  cluster: DemoCluster,
  cloud: CloudScene,
  folder: string,
  flags: readonly string[],
): Promise<Controller> {
  const cloudConfig = join(folder, 'cloud-config');
  writeFileSync(cloudConfig, cloud.cloudConfig, { mode: 0o600 });
  const port = await freePort();
  return new Controller({
    kubeconfig: cluster.kubeconfig,
    cloudConfig,
    flags: [`--secure-port=${port}`, '--bind-address=127.0.0.1', ...flags],
    logFile: logIn(folder),
  });
}

function logIn(folder: string): string {
  return join(folder, 'controller.log');
}

async function showOnce(stage: Stage, scope: Scope): Promise<number> {
  using limited = scope.withDeadline(CONVERGE_WITHIN_MS, 'the scene');
  const [picture, open] = await untilConverged(stage, limited);
  for (const line of render(picture, { colours: false })) print(line);
  for (const line of open) say(`Not converged: ${line}`);
  return open.length === 0 ? 0 : Math.max(1, ending(stage));
}

/** Looks until nothing is missing or the scope ends. */
async function untilConverged(stage: Stage, scope: Scope): Promise<readonly [Picture, readonly string[]]> {
  const told = new Set<string>();
  while (true) {
    const picture = await look(stage.cluster.client, stage.cloud);
    for (const action of picture.actions) {
      if (!told.has(action)) say(action);
      told.add(action);
    }
    const open = missing(picture);
    if (open.length === 0 || scope.cancelled || stage.controller.exitCode !== undefined) return [picture, open];
    await scope.sleep(PERIOD_MS).catch(() => undefined);
  }
}

async function showLive(stage: Stage, scope: Scope): Promise<number> {
  const hints = howToLookCloser(stage);
  if (!process.stdout.isTTY) {
    const [picture] = await untilConverged(stage, scope);
    for (const line of [...render(picture, { colours: false }), ...hints]) print(line);
    return await untilStopped(stage, scope);
  }
  using screen = new Screen(process.stdout);
  while (!scope.cancelled && stage.controller.exitCode === undefined) {
    const picture = await look(stage.cluster.client, stage.cloud);
    screen.draw([...hints, '', ...render(picture, { colours: true })]);
    await scope.sleep(PERIOD_MS).catch(() => undefined);
  }
  return ending(stage);
}

async function untilStopped(stage: Stage, scope: Scope): Promise<number> {
  await scope.wait(stage.controller.ended).catch(() => undefined);
  return ending(stage);
}

/** Says so when the controller ended although nobody stopped it. */
function ending({ controller }: Stage): number {
  if (controller.exitCode === undefined) return 0;
  say(`The controller ended by itself with exit code ${controller.exitCode}; the end of its log:`);
  say(controller.tail());
  return 1;
}

function howToLookCloser({ cluster, cloud, logFile }: Stage): string[] {
  const kubectl = cluster.kubectl ?? 'kubectl';
  return [
    `Kubernetes is ${cluster.description}; CloudStack is the simulator at ${cloud.simulator.url}`,
    `  ${kubectl} --kubeconfig ${cluster.kubeconfig} get nodes,services -A`,
    `  ${kubectl} --kubeconfig ${cluster.kubeconfig} delete service web`,
    `  tail -f ${logFile}`,
    'Ctrl-C stops everything.',
  ];
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Progress goes to standard error, so that tables can be piped. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
