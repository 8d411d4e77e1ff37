import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ControlPlane } from '@cloudstack-ccm/control-plane';
import { manifest } from './world/cluster.ts';

let plane: ControlPlane;

before(async () => {
  plane = await ControlPlane.start();
  await plane.kubectl(['apply', '--server-side', '--validate=strict', '-f', manifest]);
});
after(() => plane.stop());

const get = (...args: string[]): Promise<string> => plane.kubectl(['-n', 'kube-system', 'get', ...args]);

test('the objects have the names that users and runbooks know', async () => {
  const kinds = ['serviceaccount', 'clusterrole', 'clusterrolebinding', 'rolebinding', 'deployment'];
  const found = await get(kinds.join(','), '-l', 'k8s-app=cloud-controller-manager', '-o', 'name');
  assert.deepEqual(found.trim().split('\n').sort(), [
    'clusterrole.rbac.authorization.k8s.io/system:cloud-controller-manager',
    'clusterrolebinding.rbac.authorization.k8s.io/system:cloud-controller-manager',
    'deployment.apps/cloud-controller-manager',
    'rolebinding.rbac.authorization.k8s.io/system:cloud-controller-manager:extension-apiserver-authentication-reader',
    'rolebinding.rbac.authorization.k8s.io/system:cloud-controller-manager:leader-election',
    'serviceaccount/cloud-controller-manager',
  ]);
});

test('Secret, mount, arguments and container are those of the Go controller', async () => {
  const { spec } = await podTemplate();
  const [container] = spec.containers;
  assert.equal(container?.name, 'cloud-controller-manager');
  assert.equal(spec.serviceAccountName, 'cloud-controller-manager');
  assert.deepEqual(container?.args, [
    '--leader-elect=true',
    '--cloud-provider=external-cloudstack',
    '--cloud-config=/config/cloud-config',
  ]);
  assert.equal(spec.volumes[0]?.secret.secretName, 'cloudstack-secret');
  assert.deepEqual(container?.volumeMounts, [{ name: 'cloud-config', mountPath: '/config', readOnly: true }]);
});

test('the pod may start on every node that a new cluster has', async () => {
  const { spec } = await podTemplate();
  for (const key of [
    'node.cloudprovider.kubernetes.io/uninitialized',
    'node-role.kubernetes.io/control-plane',
    'node.kubernetes.io/not-ready',
  ]) {
    assert.ok(
      spec.tolerations.some((one) => one.key === key && one.operator === 'Exists' && one.effect === 'NoSchedule'),
      key,
    );
  }
});

test('the pod runs with the least that a pod can have', async () => {
  const { spec } = await podTemplate();
  assert.equal(spec.securityContext['runAsNonRoot'], true);
  assert.deepEqual(spec.containers[0]?.securityContext, {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    readOnlyRootFilesystem: true,
  });
});

test('applying it over the manifest of the Go controller leaves no right of that one', async () => {
  await plane.kubectl(['apply', '-f', new URL('../fixtures/go-controller-rights.yaml', import.meta.url).pathname]);
  await plane.kubectl(['apply', '-f', manifest]);
  const account = 'system:serviceaccount:kube-system:cloud-controller-manager';
  for (const [verb, resource] of [
    ['create', 'serviceaccounts'],
    ['update', 'endpoints'],
    ['list', 'persistentvolumes'],
    ['list', 'pods'],
    ['get', 'secrets'],
    ['create', 'nodes'],
  ] as const) {
    assert.equal(await mayI(account, verb, resource), 'no', `${verb} ${resource}`);
  }
  assert.equal(await mayI(account, 'patch', 'services'), 'yes');
});

async function mayI(account: string, verb: string, resource: string): Promise<string> {
  // kubectl ends with 1 for "no".
  const answer = plane.kubectl(['auth', 'can-i', verb, resource, '--all-namespaces', `--as=${account}`]);
  return await answer.then(
    (text) => text.trim(),
    () => 'no',
  );
}

interface PodTemplate {
  readonly spec: {
    readonly serviceAccountName: string;
    readonly securityContext: Record<string, unknown>;
    readonly tolerations: { readonly key?: string; readonly operator?: string; readonly effect?: string }[];
    readonly volumes: { readonly secret: { readonly secretName: string } }[];
    readonly containers: {
      readonly name: string;
      readonly args: string[];
      readonly securityContext: unknown;
      readonly volumeMounts: unknown[];
    }[];
  };
}

async function podTemplate(): Promise<PodTemplate> {
  const deployment: unknown = JSON.parse(await get('deployment', 'cloud-controller-manager', '-o', 'json'));
  return (deployment as { spec: { template: PodTemplate } }).spec.template;
}
