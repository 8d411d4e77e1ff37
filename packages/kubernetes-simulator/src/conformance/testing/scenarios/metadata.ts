import { get, MERGE, patch, post, put, remove, type Scenario } from '../scenario.ts';

const NAMESPACE = '/api/v1/namespaces/c-metadata';
const MAPS = `${NAMESPACE}/configmaps`;
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/c-metadata/leases';
const GENERATED = `${MAPS}/{{generated.metadata.name}}`;

export const metadataScenarios: readonly Scenario[] = [
  {
    name: 'create, replace and delete',
    steps: [
      post('/api/v1/namespaces', { metadata: { name: 'c-metadata' } }),
      post(MAPS, { metadata: { name: 'a', resourceVersion: '4' } }),
      post(MAPS, { metadata: { name: 'a' } }),
      post(MAPS, { metadata: { name: 'a' } }),
      put(`${MAPS}/b`, { metadata: { name: 'b' } }),
      put(`${MAPS}/a`, { metadata: { name: 'b' } }),
      put(`${MAPS}/a`, { data: { a: 'b' } }),
      put(`${MAPS}/a`, { metadata: { name: 'a', resourceVersion: '1' }, data: { a: 'b' } }),
      put(`${MAPS}/a`, { metadata: { name: 'a' }, data: { a: 'b' } }),
      put(`${MAPS}/a`, { metadata: { name: 'a' }, data: { '!': 'b' } }),
      remove(`${MAPS}/a`, { preconditions: { uid: 'x' } }),
      remove(`${MAPS}/a?propagationPolicy=Foo`),
      remove(`${MAPS}/a?gracePeriodSeconds=x`),
      remove(`${MAPS}/a?dryRun=All`),
      remove(`${MAPS}/a`, { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' }),
      remove(`${MAPS}/a`),
      post('/api/v1/namespaces/c-none/configmaps', { metadata: { name: 'a' } }),
      get('/api/v1/namespaces/c-none/configmaps'),
      post(`${MAPS}?dryRun=Foo&fieldValidation=Bad`, { metadata: { name: 'a' } }),
      post(`${NAMESPACE}/secrets`, { metadata: { name: 's' }, stringData: { a: 'b' } }),
      patch(`${NAMESPACE}/secrets/s`, MERGE, { type: 'other' }),
      post(`${NAMESPACE}/serviceaccounts`, { metadata: { name: 'sa' } }),
      remove(`${NAMESPACE}/serviceaccounts/sa`),
    ],
  },
  {
    name: 'finalizers hold an object',
    steps: [
      post(MAPS, { metadata: { generateName: 'gen-', finalizers: ['a.b/c'] } }, { name: 'generated' }),
      remove(GENERATED),
      remove(GENERATED),
      patch(GENERATED, MERGE, { metadata: { finalizers: ['a.b/c', 'd.e/f'] } }),
      patch(GENERATED, MERGE, { metadata: { labels: { still: 'here' } } }),
      patch(GENERATED, MERGE, { metadata: { finalizers: null } }),
      get(GENERATED),
    ],
  },
  {
    name: 'leases',
    steps: [
      post(
        LEASES,
        {
          metadata: { name: 'l' },
          spec: {
            holderIdentity: 'me',
            leaseDurationSeconds: 15,
            acquireTime: '2026-01-01T00:00:00.500000Z',
            renewTime: '2026-01-01T00:00:00.000000Z',
          },
        },
        { name: 'lease' },
      ),
      post(LEASES, { metadata: { name: 'k' }, spec: { renewTime: '2026-01-01T00:00:00.5Z' } }),
      post(LEASES, { metadata: { name: 'k' }, spec: { renewTime: '2026-01-01T00:00:00Z' } }),
      put(`${LEASES}/l`, { metadata: { name: 'l' }, spec: { leaseDurationSeconds: 10 } }),
      put(`${LEASES}/l`, {
        metadata: { name: 'l', resourceVersion: '{{lease.metadata.resourceVersion}}' },
        spec: { holderIdentity: 'you', leaseTransitions: 1 },
      }),
      put(`${LEASES}/l`, {
        metadata: { name: 'l', resourceVersion: '{{lease.metadata.resourceVersion}}' },
        spec: { holderIdentity: 'me' },
      }),
      put(`${LEASES}/m`, { metadata: { name: 'm' } }),
      post(LEASES, { metadata: { name: 'n' }, spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } }),
      remove(`${LEASES}/m`),
    ],
  },
  {
    name: 'endpoint slices and roles',
    steps: [
      post('/apis/discovery.k8s.io/v1/namespaces/c-metadata/endpointslices', {
        metadata: { name: 'e', labels: { 'kubernetes.io/service-name': 'x' } },
        addressType: 'IPv4',
        endpoints: [{ addresses: ['192.0.2.1'], conditions: { ready: true } }],
        ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
      }),
      post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
        metadata: { name: 'c-role' },
        rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }],
      }),
      post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
        metadata: { name: 'c-binding' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'c-role' },
        subjects: [
          { kind: 'User', name: 'u' },
          { kind: 'ServiceAccount', name: 's', namespace: 'n' },
        ],
      }),
    ],
  },
];
