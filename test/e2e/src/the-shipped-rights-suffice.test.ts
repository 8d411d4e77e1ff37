import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Audit } from './world/audit.ts';
import { realCluster } from './world/cluster.ts';
import { play } from './world/scenario.ts';
import { expose, initialise, WEB } from './world/steps.ts';
import { waitFor } from './world/wait-for.ts';
import type { World } from './world/world.ts';

const CONTROLLER = 'system:serviceaccount:kube-system:cloud-controller-manager';
const ROLES = [
  '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:cloud-controller-manager',
  '/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/roles/system:cloud-controller-manager:leader-election',
];

const used = new Set<string>();
let rights: readonly string[] = [];

for (const [which, flags] of [
  ['the newest API server', []],
  ['an API server that does not stream lists', ['--feature-gates=WatchList=false']],
] as const) {
  test(`with the rights of deployment.yaml the controller is refused nothing by ${which}`, async () => {
    using audit = new Audit();
    await play(
      () => realCluster({ apiServerFlags: [...audit.flags, ...flags] }),
      async (world) => {
        await workOnEverything(world);
        assert.deepEqual(refusals(audit), []);
        for (const { verb, resource } of audit.requests(CONTROLLER)) used.add(`${verb} ${resource}`);
        rights = await granted(world);
      },
    );
  });
}

test('with both, it uses every right that deployment.yaml grants', () => {
  assert.ok(rights.length > 0);
  assert.deepEqual(
    rights.filter((right) => !used.has(right)),
    [],
  );
});

test('with the rights of the manifest of the Go controller it works too', async () => {
  using audit = new Audit();
  const file = join(import.meta.dirname, '../fixtures/go-controller-rights.yaml');
  const start = () => realCluster({ rights: file, apiServerFlags: audit.flags });
  await play(start, async (world) => {
    const controller = await world.startController({ flags: ['--leader-elect=true'] });
    await workOnObjects(world);
    assert.equal((await controller.probe('/healthz')).status, 200);
    // It goes on without the mark of its cluster, which that manifest does not let it read.
    assert.deepEqual(refusals(audit), ['get namespaces /api/v1/namespaces/kube-system']);
  });
});

async function workOnEverything(world: World): Promise<void> {
  const controller = await world.startController({ flags: ['--leader-elect=true'] });
  await workOnObjects(world, { 'service.beta.kubernetes.io/cloudstack-load-balancer-ready-endpoints-only': 'true' });
  const metrics = await controller.probe('/metrics', world.cluster.adminToken);
  assert.equal(metrics.status, 200, metrics.body);
  assert.equal((await controller.probe('/metrics')).status, 403, 'everybody may read the metrics');
}

/** All that the controller does to objects: nodes come and go, a Service comes and goes. */
async function workOnObjects(world: World, annotations: Readonly<Record<string, string>> = {}): Promise<void> {
  await initialise(world);
  const address = world.cloud.takeAddress();
  await world.setEndpoints('web', { 'node-1': true });
  await expose(world, { ...WEB, annotations });
  await expose(world, { ...WEB, name: 'given', loadBalancerIp: address });
  // The second event of a kind is counted on the first one.
  await world.patchService('web', { spec: { loadBalancerSourceRanges: ['192.0.2.0/24'] } });
  await waitFor('the Service was worked on again', async () => {
    assert.equal(await world.count('Service web', 'EnsuredLoadBalancer'), 2);
  });
  await world.cloud.destroyMachine('node-3');
  await world.setReady('node-3', false);
  await waitFor('the dead node is gone', async () => assert.equal((await world.nodes()).length, 2));
  for (const name of ['web', 'given']) {
    await world.deleteService(name);
    await waitFor(`Service ${name} is gone`, async () => assert.equal(await world.findService(name), undefined));
  }
  assert.deepEqual(world.cloud.addresses(), [address]);
}

interface Role {
  readonly rules: readonly { readonly apiGroups: string[]; readonly resources: string[]; readonly verbs: string[] }[];
}

/** As `verb group/resource`. */
async function granted(world: World): Promise<readonly string[]> {
  const roles = await Promise.all(ROLES.map((path) => world.client.get(path)));
  return roles.flatMap((role) =>
    (role as Role).rules.flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group === '' ? '' : `${group}/`}${resource}`)),
      ),
    ),
  );
}

function refusals(audit: Audit): readonly string[] {
  const refused = audit.requests(CONTROLLER).filter(({ status }) => status === 403);
  return [...new Set(refused.map(({ verb, path, resource }) => `${verb} ${resource} ${path}`))];
}
