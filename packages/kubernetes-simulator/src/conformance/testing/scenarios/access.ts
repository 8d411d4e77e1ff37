import { get, MERGE, patch, post, type Scenario, type Step } from '../scenario.ts';

const AUTHORIZATION = '/apis/authorization.k8s.io/v1';
const AUTHENTICATION = '/apis/authentication.k8s.io/v1';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const LIST_NODES = { spec: { resourceAttributes: { verb: 'list', resource: 'nodes' } } };
const asViewer: Partial<Step> = { as: 'viewer' };

export const accessScenarios: readonly Scenario[] = [
  {
    name: 'access that is refused',
    steps: [
      get('/api/v1/nodes', { as: 'stranger' }),
      get('/api/v1/nodes', asViewer),
      get('/api/v1/nodes/n', asViewer),
      get('/api/v1/nodes?watch=1', asViewer),
      get('/api/v1/nodes?fieldSelector=metadata.name=n', asViewer),
      get('/api/v1/foos', asViewer),
      get('/api/v1/namespaces/default/pods/p/log', asViewer),
      patch('/api/v1/namespaces/default/services/x/status', MERGE, {}, asViewer),
      post('/apis/coordination.k8s.io/v1/namespaces/kube-system/leases', { metadata: { name: 'x' } }, asViewer),
      { method: 'DELETE', path: '/api/v1/services', as: 'viewer' },
      get('/api/v1/namespaces/x', asViewer),
      get('/metrics', asViewer),
      get('/healthz', asViewer),
    ],
  },
  {
    name: 'access by role',
    steps: [
      post(`${RBAC}/clusterroles`, {
        metadata: { name: 'c-viewer' },
        rules: [
          { apiGroups: [''], resources: ['nodes', 'services/status'], verbs: ['get', 'list'] },
          { apiGroups: [''], resources: ['configmaps'], resourceNames: ['one'], verbs: ['get'] },
          { nonResourceURLs: ['/x/*'], verbs: ['get'] },
        ],
      }),
      post(`${AUTHORIZATION}/selfsubjectaccessreviews`, LIST_NODES, asViewer),
      post(`${RBAC}/clusterrolebindings`, {
        metadata: { name: 'c-viewer' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'c-viewer' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'viewers' }],
      }),
      get('/api/v1/nodes?labelSelector=none', asViewer),
      get('/api/v1/namespaces/default/services/none/status', asViewer),
      get('/api/v1/namespaces/default/services/none', asViewer),
      get('/api/v1/namespaces/default/configmaps/one', asViewer),
      get('/api/v1/namespaces/default/configmaps/two', asViewer),
      get('/x/y', asViewer),
      get('/api/v1/nodes?labelSelector=none', { as: 'nobody' }),
    ],
  },
  {
    name: 'questions about access',
    steps: [
      post(`${AUTHORIZATION}/subjectaccessreviews`, {
        spec: { user: 'nobody', groups: ['a'], nonResourceAttributes: { path: '/metrics', verb: 'get' } },
      }),
      post(`${AUTHORIZATION}/subjectaccessreviews`, {
        spec: { groups: ['system:masters'], resourceAttributes: { verb: 'delete', resource: 'nodes' } },
      }),
      post(`${AUTHORIZATION}/selfsubjectaccessreviews`, { spec: {} }),
      post(`${AUTHORIZATION}/subjectaccessreviews`, { spec: {} }),
      post(`${AUTHENTICATION}/tokenreviews`, { spec: { token: 'viewer-token' } }),
      post(`${AUTHENTICATION}/tokenreviews`, { spec: { token: 'none' } }),
      post(`${AUTHENTICATION}/tokenreviews`, { spec: {} }),
      post(`${AUTHENTICATION}/selfsubjectreviews`, {}, asViewer),
      post(`${AUTHENTICATION}/tokenreviews`, { spec: { token: 'viewer-token' } }, asViewer),
    ],
  },
];
