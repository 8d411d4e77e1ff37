import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import {
  createLogger,
  createMetrics,
  Scope,
  systemClock,
  type Clock,
  type Logger,
  type LogRecord,
} from '@cloudstack-ccm/base';
import { KubernetesClient, LeadershipLostError, loadKubeconfig } from '@cloudstack-ccm/kubernetes';

import { readCommandLine } from '../options/options.ts';
import { TestCluster, until } from '../testing/cluster.ts';
import { ask } from '../testing/https.ts';
import { someMetadata, UNINITIALIZED } from '../testing/objects.ts';
import { ScriptedCloud } from '../testing/scripted-cloud.ts';
import { freePort } from '../testing/free-port.ts';
import { Manager } from './manager.ts';

const BUILD = { version: 'v1.2.3', commit: 'abc', buildDate: '2026-01-01T00:00:00Z' };
const LEASE = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/cloud-controller-manager';
/** A fifth of the usual times: the order of things is the same. */
const TIMES = [
  '--leader-elect-lease-duration=3s',
  '--leader-elect-renew-deadline=2s',
  '--leader-elect-retry-period=400ms',
];

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.start();
});
after(() => cluster[Symbol.asyncDispose]());

/** A manager as the program runs it, and what can be seen of it from outside. */
class Process {
  readonly cloud = new ScriptedCloud();
  readonly metrics = createMetrics();
  readonly stop = Scope.root();
  readonly lines: LogRecord[] = [];
  readonly manager: Manager;
  readonly ended: Promise<unknown>;
  readonly port: number;

  private constructor(manager: (process: Process) => Manager, port: number) {
    this.port = port;
    this.manager = manager(this);
    this.ended = this.manager.run(this.stop).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
  }

  static async start(flags: readonly string[] = [], clock: Clock = systemClock): Promise<Process> {
    const config = await loadKubeconfig({ kubeconfig: cluster.plane.kubeconfigFile() });
    const port = await freePort();
    const { options } = readCommandLine([
      '--cloud-provider=fake',
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      ...TIMES,
      ...flags,
    ]);
    return new Process((process) => {
      const { cloud, metrics } = process;
      const log = process.#logger();
      const client = new KubernetesClient({ config, userAgent: 'test', metrics, clock });
      const reviewers = { authentication: client, authorization: client };
      const verbosity = { level: 0 };
      return new Manager({
        options,
        build: BUILD,
        cloud,
        client,
        reviewers,
        log,
        verbosity,
        metrics,
        clock,
        drainMs: 2000,
      });
    }, port);
  }

  logged(text: string): boolean {
    return this.lines.some(({ message }) => message.includes(text));
  }

  get(path: string): ReturnType<typeof ask> {
    return ask(this.port, path);
  }

  reaches(state: Manager['state']): Promise<void> {
    return until(() => this.manager.state === state, `the manager is ${state}, not ${this.manager.state}`);
  }

  #logger(): Logger {
    return createLogger({ sink: (record) => this.lines.push(record), verbosity: { level: 4 }, now: () => Date.now() });
  }
}

async function holder(): Promise<string> {
  const lease = (await cluster.plane.client.get(LEASE)) as { spec: { holderIdentity?: string } } | undefined;
  return lease?.spec.holderIdentity ?? '';
}

describe('A manager', () => {
  test('starts, leads, works and stops in order, and lets the lease go', async () => {
    await using world = await cluster.world();
    const process = await Process.start();
    assert.equal(process.manager.state, 'starting');
    await process.reaches('leading');
    await until(async () => (await process.get('/readyz')).status === 200, 'it is ready');
    assert.equal(process.cloud.started, 1);
    assert.notEqual(await holder(), '');

    process.cloud.machines.set('node0', () => someMetadata());
    await world.createNode('node0', { taints: [UNINITIALIZED] });
    await world.createService('web');
    await until(async () => (await world.node('node0'))?.spec.taints.length === 0, 'the node is initialised');
    await until(() => process.cloud.balancers.has('default/web'), 'the load balancer is there');
    const told = await cluster.plane.client.get('/api/v1/namespaces/default/events');
    assert.match(JSON.stringify(told), /Node synced successfully/);

    const { body } = await process.get('/healthz?verbose');
    assert.equal(
      body,
      '[+]leaderElection ok\n[+]cloud-node-controller ok\n[+]cloud-node-lifecycle-controller ok\n' +
        '[+]service-lb-controller ok\nhealthz check passed\n',
    );
    assert.ok(process.logged('cloud provider does not support routes'));

    process.stop.cancel();
    assert.equal(await process.ended, undefined);
    assert.equal(process.manager.state, 'stopped');
    assert.equal(await holder(), '');
    await assert.rejects(process.get('/healthz'), /ECONNREFUSED/);
    const { text } = await process.metrics.expose();
    assert.match(text, /running_managed_controllers\{name="cloud-node",manager="cloud-controller-manager"\} 0/);
    assert.match(text, /kubernetes_build_info\{.*git_version="v1\.2\.3".*\} 1/);
    assert.match(text, /process_resident_memory_bytes [1-9]/);
    assert.match(text, /leader_election_master_status\{name="cloud-controller-manager"\} 0/);
  });

  test('lets the work at hand end before it lets the lease go', async () => {
    await using world = await cluster.world();
    const process = await Process.start();
    await process.reaches('leading');
    let release = (): void => undefined;
    process.cloud.scripts.ensure = () => new Promise((resolve) => (release = resolve));
    await world.createService('web');
    await until(() => process.cloud.calls.length > 0, 'the Service is being ensured');
    process.stop.cancel();
    await process.reaches('stopping');
    assert.notEqual(await holder(), '');
    assert.equal((await process.get('/readyz')).status, 500);
    assert.equal((await process.get('/livez')).status, 200);
    release();
    assert.equal(await process.ended, undefined);
    assert.equal((await world.service('web'))?.status.loadBalancer.ingress.length, 1);
    assert.equal(await holder(), '');
  });

  test('sends the last events before it ends', async () => {
    await using world = await cluster.world();
    const process = await Process.start();
    await process.reaches('leading');
    await world.createService('web');
    await until(async () => (await world.service('web'))?.status.loadBalancer.ingress.length === 1, 'it is served');
    let release = (): void => undefined;
    process.cloud.scripts.ensure = () => new Promise((resolve) => (release = resolve));
    process.cloud.take();
    await world.patchService('web', { metadata: { annotations: { changed: 'yes' } } });
    await until(() => process.cloud.calls.length > 0, 'the Service is being ensured again');
    process.stop.cancel();
    release();
    assert.equal(await process.ended, undefined);
    const { uid = '' } = (await world.service('web'))?.metadata ?? {};
    const events = await world.client.events.list(world.scope, { fieldSelector: `involvedObject.uid=${uid}` });
    const ensured = events.items.find(({ reason }) => reason === 'EnsuredLoadBalancer');
    assert.equal(ensured?.count, 2);
  });

  test('does not wait for ever for the work at hand', async () => {
    await using world = await cluster.world();
    const process = await Process.start();
    await process.reaches('leading');
    process.cloud.scripts.ensure = (context) => context.scope.sleep(600_000);
    await world.createService('web');
    await until(() => process.cloud.calls.length > 0, 'the Service is being ensured');
    process.stop.cancel();
    assert.equal(await process.ended, undefined);
    assert.equal(process.manager.state, 'stopped');
  });

  test('stands by while another one leads, ready to take over, and takes over', async () => {
    await cluster.empty();
    const first = await Process.start();
    await first.reaches('leading');
    const second = await Process.start();
    await second.reaches('standby');
    assert.equal((await second.get('/readyz')).status, 200);
    assert.equal((await second.get('/healthz?verbose')).body, '[+]leaderElection ok\nhealthz check passed\n');
    assert.equal(second.cloud.started, 0);
    first.stop.cancel();
    await first.ended;
    await second.reaches('leading');
    second.stop.cancel();
    assert.equal(await second.ended, undefined);
  });

  test('that stands by stops at once', async () => {
    await cluster.empty();
    const first = await Process.start();
    await first.reaches('leading');
    const second = await Process.start();
    await second.reaches('standby');
    second.stop.cancel();
    assert.equal(await second.ended, undefined);
    assert.equal(second.manager.state, 'stopped');
    assert.equal(first.manager.state, 'leading');
    first.stop.cancel();
    await first.ended;
  });

  test('ends at once, and writes nothing more, when somebody takes its lease', async () => {
    await using world = await cluster.world();
    const process = await Process.start();
    await process.reaches('leading');
    let annotated: unknown;
    let mayWrite: boolean | undefined;
    process.cloud.scripts.ensure = async (context) => {
      await until(() => context.scope.cancelled, 'the scope ends');
      mayWrite = context.mayWrite();
      annotated = await context.annotate({ late: 'yes' }).catch((error: unknown) => error);
    };
    await world.createService('web');
    await until(() => process.cloud.calls.length > 0, 'the Service is being ensured');
    const now = new Date().toISOString().replace('Z', '000Z');
    const spec = { holderIdentity: 'somebody', leaseDurationSeconds: 3, acquireTime: now, renewTime: now };
    await cluster.plane.client.patch(LEASE, { spec });
    const failure = await process.ended;
    assert.ok(failure instanceof LeadershipLostError, String(failure));
    assert.equal(process.manager.state, 'lost');
    await until(() => annotated !== undefined, 'the late annotation was tried');
    assert.ok(annotated instanceof LeadershipLostError, String(annotated));
    assert.equal(mayWrite, false);
    assert.deepEqual((await world.service('web'))?.metadata.annotations, {});
    await cluster.plane.client.delete(LEASE);
  });

  test('works without an election, and without the controllers that are switched off', async () => {
    await using world = await cluster.world();
    const process = await Process.start(['--leader-elect=false', '--controllers=*,-service']);
    await process.reaches('leading');
    process.cloud.machines.set('node0', () => someMetadata());
    await world.createNode('node0', { taints: [UNINITIALIZED] });
    await world.createService('web');
    await until(async () => (await world.node('node0'))?.spec.taints.length === 0, 'the node is initialised');
    assert.ok(process.logged('"service" is disabled'));
    const { body } = await process.get('/healthz?verbose');
    assert.doesNotMatch(body, /leaderElection|service-lb-controller/);
    process.stop.cancel();
    assert.equal(await process.ended, undefined);
    assert.equal(process.cloud.balancers.size, 0);
  });

  test('without any controller waits to be stopped', async () => {
    const process = await Process.start(['--leader-elect=false', '--controllers=-route']);
    await process.reaches('leading');
    await until(async () => (await process.get('/readyz')).status === 200, 'it is ready');
    process.stop.cancel();
    assert.equal(await process.ended, undefined);
  });

  test('is alive and not ready while the cloud is away, and says why to whom it may', async () => {
    await cluster.empty();
    const process = await Process.start();
    process.cloud.unready = 'CloudStack at cs.example answers HTTP 503';
    await process.reaches('leading');
    await until(async () => !(await process.get('/readyz')).body.includes('[-]manager'), 'only the cloud is missing');
    const { status, body } = await process.get('/readyz');
    assert.equal(status, 500);
    assert.match(
      body,
      /^\[\+\]manager ok\n\[-\]cloud failed: CloudStack at cs\.example answers HTTP 503\nreadyz check failed\n$/,
    );
    assert.equal((await process.get('/healthz')).status, 200);
    process.cloud.unready = undefined;
    assert.equal((await process.get('/readyz')).status, 200);
    process.stop.cancel();
    await process.ended;
  });

  test('shows held deletions in its health, and stays healthy', async () => {
    await using world = await cluster.world();
    await world.createNode('node0', { ready: 'False' });
    const process = await Process.start(['--node-monitor-period=100ms']);
    process.cloud.sightings.set('node0', 'absent');
    await until(async () => {
      if (process.manager.port === 0) return false;
      const { status, body } = await process.get('/healthz?verbose');
      return status === 200 && body.includes('[+]cloud-node-lifecycle-controller ok: Deletion of 1 of 1 nodes is held');
    }, 'the hold shows');
    process.stop.cancel();
    await process.ended;
  });

  test('says which port it cannot bind', async () => {
    const first = await Process.start(['--leader-elect=false', '--controllers=-route']);
    await first.reaches('leading');
    const second = await Process.start(['--leader-elect=false', `--secure-port=${first.port}`]);
    const failure = await second.ended;
    assert.ok(failure instanceof Error);
    assert.equal(
      failure.message,
      `failed to create listener: failed to listen on 127.0.0.1:${first.port}: ` +
        `listen tcp 127.0.0.1:${first.port}: bind: address already in use`,
    );
    first.stop.cancel();
    await first.ended;
  });

  test('that is stopped while it starts ends cleanly', async () => {
    const process = await Process.start();
    process.stop.cancel();
    assert.equal(await process.ended, undefined);
    assert.equal(process.manager.state, 'stopped');
  });
});
