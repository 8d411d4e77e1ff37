import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createLogger, Scope, Secret, silentLogger } from '@cloudstack-ccm/base';
import { ControlPlane, user } from '@cloudstack-ccm/control-plane';
import {
  addressesPatch,
  type ClusterConfig,
  ConnectionError,
  EventRecorder,
  finalizersPatch,
  fixedToken,
  Informer,
  serviceStatusPatch,
  KubernetesClient,
  labelsPatch,
  LeaderElector,
  type Lease,
  type ListWatch,
  loadKubeconfig,
  type Node,
  nodeReference,
  retryOnConflict,
  StatusError,
  taintsPatch,
} from './index.ts';
import { until } from './testing/until.ts';

const NOBODY = user('nobody');
const FIN = 'service.kubernetes.io/load-balancer-cleanup';

let plane: ControlPlane;
let admin: KubernetesClient;
const scope = Scope.root();

before(async () => {
  plane = await ControlPlane.start({ users: [NOBODY] });
  admin = await clientOf(plane.kubeconfigFile());
});

after(async () => {
  scope.cancel();
  admin?.close();
  await plane?.stop();
});

async function clientOf(kubeconfig: string): Promise<KubernetesClient> {
  return new KubernetesClient({ config: await loadKubeconfig({ kubeconfig }), userAgent: 'test/v1', qps: -1 });
}

function clientWith(change: Partial<ClusterConfig>): KubernetesClient {
  const tls = {
    ca: { data: new Secret(plane.ca) },
    insecureSkipVerify: false,
    serverName: undefined,
    clientCertificate: undefined,
  };
  const config = { server: plane.url, tls, token: undefined, namespace: 'default', origin: 'test', ...change };
  return new KubernetesClient({ config, userAgent: 'test/v1', qps: -1 });
}

function createNode(name: string, more: object = {}): Promise<Node> {
  return admin.nodes.create(scope, '', { metadata: { name }, ...more });
}

async function createService(name: string, metadata: object = {}): Promise<void> {
  await admin.services.create(scope, 'default', {
    metadata: { name, ...metadata },
    spec: { type: 'LoadBalancer', ports: [{ port: 80, protocol: 'TCP' }] },
  });
}

describe('against a real API server, a client', () => {
  it('is known by its client certificate', async () => {
    const { certificate, key } = plane.authority.client('joe', ['system:masters']);
    using joe = closing(
      clientWith({
        tls: {
          ca: { data: new Secret(plane.ca) },
          insecureSkipVerify: false,
          serverName: undefined,
          clientCertificate: { certificate: { data: new Secret(certificate) }, key: { data: new Secret(key) } },
        },
      }),
    );
    const { items } = await joe.client.namespaces.list(scope);
    assert.ok(items.some(({ metadata }) => metadata.name === 'kube-system'));
  });

  it('is refused by name without rights, and without a token', async () => {
    using nobody = closing(clientWith({ token: fixedToken(NOBODY.token) }));
    await assert.rejects(nobody.client.nodes.list(scope), (error) => {
      assert.ok(error instanceof StatusError && error.isForbidden);
      assert.match(error.message, /User "nobody" cannot list resource "nodes"/);
      return true;
    });
    using anonymous = closing(clientWith({ token: fixedToken(new Secret('wrong')) }));
    await assert.rejects(
      anonymous.client.nodes.list(scope),
      (error) => error instanceof StatusError && error.isUnauthorized,
    );
  });

  it('trusts only the authority it is given, unless told to trust anyone', async () => {
    const token = fixedToken(plane.admin.token);
    const tls = { ca: undefined, insecureSkipVerify: false, serverName: undefined, clientCertificate: undefined };
    using strict = closing(clientWith({ token, tls }));
    await assert.rejects(strict.client.health(scope), (error) => {
      assert.ok(error instanceof ConnectionError);
      assert.match(error.systemCode, /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/);
      return true;
    });
    using careless = closing(clientWith({ token, tls: { ...tls, insecureSkipVerify: true } }));
    await careless.client.health(scope);
    const ca = { data: new Secret(plane.ca) };
    using mistaken = closing(clientWith({ token, tls: { ...tls, ca, serverName: 'elsewhere.example' } }));
    await assert.rejects(mistaken.client.health(scope), /elsewhere\.example/);
    using named = closing(clientWith({ token, tls: { ...tls, ca, serverName: 'localhost' } }));
    await named.client.health(scope);
  });

  it('lists in pages', async () => {
    const spec = { holderIdentity: 'x', leaseDurationSeconds: 1 };
    const names = Array.from({ length: 510 }, (_, index) => `page-${index}`);
    for (let at = 0; at < names.length; at += 51) {
      const create = (name: string): Promise<Lease> =>
        admin.leases.create(scope, 'default', { metadata: { name }, spec });
      await Promise.all(names.slice(at, at + 51).map(create));
    }
    const first = await admin.leases.listPage(scope, { namespace: 'default', limit: 500 });
    assert.equal(first.items.length, 500);
    assert.notEqual(first.continueToken, '');
    const all = await admin.leases.list(scope, { namespace: 'default' });
    assert.deepEqual(all.items.map(({ metadata }) => metadata.name).sort(), names.sort());
    assert.equal(all.resourceVersion, first.resourceVersion);
  });

  it('reviews tokens and access', async () => {
    const known = await admin.reviewToken(scope, NOBODY.token);
    assert.deepEqual([known.authenticated, known.user.username], [true, 'nobody']);
    assert.equal((await admin.reviewToken(scope, new Secret('wrong'))).authenticated, false);
    const get = { path: '/metrics', verb: 'get' };
    const may = async (groups: readonly string[]): Promise<boolean> =>
      (await admin.reviewAccess(scope, { user: 'joe', groups, nonResourceAttributes: get })).allowed;
    assert.equal(await may([]), false);
    assert.equal(await may(['system:masters']), true);
  });

  it('deletes an object only if it is still the one that was meant', async () => {
    await createNode('meant');
    await assert.rejects(
      admin.nodes.delete(scope, { name: 'meant' }, { uid: '00000000-0000-0000-0000-000000000000' }),
      (error) => error instanceof StatusError && error.isConflict,
    );
    const { metadata } = await admin.nodes.get(scope, { name: 'meant' });
    await admin.nodes.delete(scope, { name: 'meant' }, { uid: metadata.uid });
    await assert.rejects(
      admin.nodes.get(scope, { name: 'meant' }),
      (error) => error instanceof StatusError && error.isNotFound,
    );
  });
});

describe('against a real API server, a patch', () => {
  it('of taints conflicts when the node has changed, and succeeds when read again', async () => {
    const taint = { key: 'node.cloudprovider.kubernetes.io/shutdown', effect: 'NoSchedule' };
    const stale = await createNode('tainted');
    await admin.nodes.patch(scope, { name: 'tainted' }, labelsPatch({ touched: 'yes' }));
    let tries = 0;
    let read = stale;
    const patched = await retryOnConflict(scope, async () => {
      if (tries++ > 0) read = await admin.nodes.get(scope, { name: 'tainted' });
      const taints = [...read.spec.taints, taint];
      return admin.nodes.patch(scope, { name: 'tainted' }, taintsPatch(read.metadata.resourceVersion, taints));
    });
    assert.equal(tries, 2);
    assert.ok(patched.spec.taints.some(({ key, effect }) => key === taint.key && effect === taint.effect));
    assert.equal(patched.metadata.labels['touched'], 'yes');
    const cleared = await admin.nodes.patch(
      scope,
      { name: 'tainted' },
      taintsPatch(patched.metadata.resourceVersion, []),
    );
    assert.deepEqual(cleared.spec.taints, []);
  });

  it('of finalizers leaves alone what others have added meanwhile', async () => {
    await createService('finalized', { finalizers: ['example.com/first'] });
    const name = { namespace: 'default', name: 'finalized' };
    const finalizers = async (before: string[], after: string[]): Promise<readonly string[]> => {
      const patch = finalizersPatch(before, after);
      assert.ok(patch);
      const { metadata } = await admin.services.patchStatus(scope, name, patch);
      return [...metadata.finalizers].sort();
    };
    assert.deepEqual(await finalizers(['example.com/first'], ['example.com/first', FIN]), ['example.com/first', FIN]);
    assert.deepEqual(await finalizers([FIN], []), ['example.com/first']);
    assert.deepEqual(await finalizers([], [FIN]), ['example.com/first', FIN]);
    assert.deepEqual(await finalizers(['example.com/first', FIN], [FIN]), [FIN]);
    assert.deepEqual(await finalizers([FIN], []), []);
  });

  it('of addresses replaces them all, two of one type included', async () => {
    await createNode('addressed');
    const addresses = [
      { type: 'InternalIP', address: '10.0.0.1' },
      { type: 'InternalIP', address: 'fd00::1' },
      { type: 'Hostname', address: 'addressed' },
    ];
    const name = { name: 'addressed' };
    const patched = await admin.nodes.patchStatus(scope, name, addressesPatch(addresses));
    assert.deepEqual(patched.status.addresses, addresses);
    const fewer = await admin.nodes.patchStatus(scope, name, addressesPatch(addresses.slice(1)));
    assert.deepEqual(fewer.status.addresses, addresses.slice(1));
  });

  it('of ingress sets and clears the status', async () => {
    await createService('served');
    const name = { namespace: 'default', name: 'served' };
    const set = await admin.services.patchStatus(
      scope,
      name,
      serviceStatusPatch({ ingress: [{ ip: '192.0.2.1', ipMode: 'Proxy' }] }),
    );
    assert.deepEqual(set.status.loadBalancer.ingress, [{ ip: '192.0.2.1', ipMode: 'Proxy' }]);
    assert.equal(set.spec.ports[0]?.port, 80);
    assert.ok((set.spec.ports[0]?.nodePort ?? 0) >= 30_000);
    const cleared = await admin.services.patchStatus(scope, name, serviceStatusPatch({ ingress: [] }));
    assert.deepEqual(cleared.status.loadBalancer.ingress, []);
  });
});

describe('against a real API server, an informer', () => {
  const follow = (own: Scope): { readonly informer: Informer<Node>; readonly told: string[] } => {
    const informer = new Informer(admin.nodes, { log: silentLogger });
    const told: string[] = [];
    informer.addHandler({
      added: ({ metadata }) => told.push(`added ${metadata.name}`),
      updated: (_before, { metadata }) => told.push(`updated ${metadata.name}`),
      deleted: ({ metadata }) => told.push(`deleted ${metadata.name}`),
    });
    informer.start(own);
    return { informer, told };
  };

  it('streams what is there and follows what changes', async () => {
    await createNode('seen-first');
    const own = scope.child();
    const { informer, told } = follow(own);
    await informer.waitForSync(own);
    assert.ok(informer.lister.get('seen-first'));
    told.length = 0;
    await createNode('seen-later');
    await admin.nodes.patch(scope, { name: 'seen-later' }, labelsPatch({ a: 'b' }));
    await admin.nodes.delete(scope, { name: 'seen-later' });
    await until(() => told.includes('deleted seen-later'));
    assert.deepEqual(told, ['added seen-later', 'updated seen-later', 'deleted seen-later']);
    own.cancel();
    await informer.stopped();
  });

  it('recovers from an API server that died and came back without knowing the old versions', async () => {
    const warnings: string[] = [];
    const log = createLogger({
      sink: ({ fields }) => warnings.push(String(fields['err'])),
      verbosity: { level: 0 },
      now: () => Date.now(),
    });
    await createNode('stays');
    await createNode('goes-unseen');
    const own = scope.child();
    let gate = Promise.resolve();
    const gated: ListWatch<Node> = {
      kind: admin.nodes.kind,
      listPage: (...request) => admin.nodes.listPage(...request),
      async *watch(...request) {
        await gate;
        yield* admin.nodes.watch(...request);
      },
    };
    const informer = new Informer(gated, { log, random: () => 0 });
    const deleted: string[] = [];
    informer.addHandler({ deleted: ({ metadata }, unseen) => deleted.push(`${metadata.name} ${unseen}`) });
    informer.start(own);
    await informer.waitForSync(own);

    const { promise, resolve: open } = Promise.withResolvers<void>();
    gate = promise;
    // The restarted server knows versions from its own newest on: that must be a newer one than the watch's.
    await createService('newer');
    await plane.restartApiServer();
    await admin.nodes.delete(scope, { name: 'goes-unseen' });
    await createNode('comes-back-with-news');
    open();
    await until(() => informer.lister.get('comes-back-with-news') !== undefined && !informer.lister.get('goes-unseen'));
    assert.ok(informer.lister.get('stays'));
    assert.deepEqual(deleted, ['goes-unseen true']);
    assert.ok(
      warnings.some((warning) => warning.includes('too old resource version')),
      warnings.join(),
    );
    own.cancel();
    await informer.stopped();
  });
});

describe('against a real API server that cannot stream lists, an informer', () => {
  it('falls back to pages and a watch', async () => {
    await using old = await ControlPlane.start({ apiServerFlags: ['--feature-gates=WatchList=false'] });
    await old.client.create('/api/v1/nodes', { metadata: { name: 'first' } });
    using client = closing(await clientOf(old.kubeconfigFile()));
    const own = scope.child();
    const informer = new Informer(client.client.nodes, { log: silentLogger });
    informer.start(own);
    await informer.waitForSync(own);
    assert.ok(informer.lister.get('first'));
    await old.client.create('/api/v1/nodes', { metadata: { name: 'second' } });
    await until(() => informer.lister.get('second') !== undefined);
    own.cancel();
    await informer.stopped();
  });
});

describe('against a real API server, an election', () => {
  const elector = (identity: string, releaseOnStop: boolean): LeaderElector =>
    new LeaderElector({
      client: admin,
      namespace: 'kube-system',
      name: 'election',
      identity,
      leaseDurationMs: 2000,
      renewDeadlineMs: 1500,
      retryPeriodMs: 100,
      releaseOnStop,
      log: silentLogger,
    });
  const untilCancelled = (work: Scope): Promise<void> =>
    work.race(() => undefined).catch(() => undefined) as Promise<void>;

  it('has one leader; the next one follows at once after a clean stop, and after the lease when it dies', async () => {
    const [a, b, c] = [elector('a', true), elector('b', false), elector('c', true)];
    const [lifeOfA, lifeOfB, lifeOfC] = [scope.child(), scope.child(), scope.child()];
    const runs = [a.run(lifeOfA, untilCancelled)];
    await until(() => a.isLeader());
    runs.push(b.run(lifeOfB, untilCancelled));
    await until(() => b.holder === 'a');
    assert.deepEqual([a.mayWrite(), b.mayWrite()], [true, false]);

    const stoppedAt = performance.now();
    lifeOfA.cancel();
    await until(() => b.isLeader());
    assert.ok(performance.now() - stoppedAt < 1500, 'a released lease is taken before it would have expired');
    assert.equal(a.state, 'stopped');

    runs.push(c.run(lifeOfC, untilCancelled));
    await until(() => c.holder === 'b');
    const diedAt = performance.now();
    lifeOfB.cancel();
    await until(() => c.isLeader());
    assert.ok(performance.now() - diedAt > 1500, 'a lease that was not released is left alone until it has expired');
    const { spec } = await admin.leases.get(scope, { namespace: 'kube-system', name: 'election' });
    assert.deepEqual([spec.holderIdentity, spec.leaseTransitions], ['c', 2]);
    assert.match(spec.renewTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    lifeOfC.cancel();
    await Promise.all(runs);
  });
});

describe('against a real API server, an event', () => {
  it('is created once and counted when it happens again', async () => {
    const own = scope.child();
    const node = await createNode('eventful');
    const recorder = new EventRecorder({ client: admin, source: 'cloud-node-controller', log: silentLogger });
    recorder.start(own);
    for (let time = 0; time < 3; time++) {
      recorder.event(nodeReference(node), 'Normal', 'Synced', 'Node synced successfully');
    }
    await recorder.flush(scope);
    const fieldSelector = `involvedObject.uid=${node.metadata.uid}`;
    const { items } = await admin.events.list(scope, { namespace: 'default', fieldSelector });
    assert.deepEqual(
      items.map(({ reason, count, source, involvedObject }) => [reason, count, source, involvedObject.name]),
      [['Synced', 3, 'cloud-node-controller', 'eventful']],
    );
    own.cancel();
  });
});

/** Closes the client at the end of the block. */
function closing(client: KubernetesClient): Disposable & { readonly client: KubernetesClient } {
  return { client, [Symbol.dispose]: () => client.close() };
}
