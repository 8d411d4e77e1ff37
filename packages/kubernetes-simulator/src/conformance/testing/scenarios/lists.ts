import { get, MERGE, patch, post, remove, type Scenario, TABLE } from '../scenario.ts';

const NODES = '/api/v1/nodes';
const MAPS = '/api/v1/namespaces/c-lists/configmaps';
const METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';

export const listScenarios: readonly Scenario[] = [
  {
    name: 'lists in pieces and by selector',
    steps: [
      post('/api/v1/namespaces', { metadata: { name: 'c-lists' } }),
      post(MAPS, { metadata: { name: 'a', labels: { app: 'web', tier: 'front', n: '5' } } }),
      post(MAPS, { metadata: { name: 'b', labels: { app: 'web' } } }),
      post(MAPS, { metadata: { name: 'c' } }),
      get(MAPS),
      get(`${MAPS}?limit=2`, { name: 'page' }),
      get(`${MAPS}?limit=2&continue={{page.metadata.continue}}`),
      get(`${MAPS}?limit=1&labelSelector=app`),
      ...['app=web', 'app!=web', 'app in (web,db),tier', '!app', 'tier notin (front)', 'n>4', 'app==db', 'n<4'].map(
        (selector) => get(`${MAPS}?labelSelector=${encodeURIComponent(selector)}`),
      ),
      ...['a in (x', '-a=b', 'a=-b', 'n>x', ',', 'a b'].map((selector) =>
        get(`${MAPS}?labelSelector=${encodeURIComponent(selector)}`),
      ),
      ...['metadata.name=a', 'metadata.name!=a', 'foo=a', 'foo', 'metadata.namespace=c-lists,metadata.name==b'].map(
        (selector) => get(`${MAPS}?fieldSelector=${encodeURIComponent(selector)}`),
      ),
      get(`${NODES}?fieldSelector=spec.unschedulable=true&labelSelector=a=b`),
      get('/api/v1/namespaces/c-services/services?fieldSelector=spec.type=ExternalName'),
      get('/api/v1/configmaps?fieldSelector=metadata.name=b'),
    ],
  },
  {
    name: 'list options that are refused',
    steps: [
      get(`${NODES}?limit=x`),
      get(`${NODES}?resourceVersion=x`),
      get(`${NODES}?resourceVersion=99999999`),
      get(`${NODES}?resourceVersionMatch=Exact`),
      get(`${NODES}?resourceVersionMatch=Foo&resourceVersion=1`),
      get(`${NODES}?resourceVersionMatch=Exact&resourceVersion=0`),
      get(`${NODES}?timeoutSeconds=x`),
      get(`${NODES}?sendInitialEvents=true`),
      get(`${NODES}?watch=1&sendInitialEvents=true`),
      get(`${NODES}?watch=1&resourceVersionMatch=NotOlderThan`),
      get(`${NODES}?watch=1&fieldSelector=foo=a`),
      get(MAPS, { accept: 'text/html' }),
    ],
  },
  {
    name: 'watches tell what happened since',
    steps: [
      get(`${MAPS}?labelSelector=none`, { name: 'before' }),
      post(MAPS, { metadata: { name: 'w', labels: { app: 'web' } } }),
      patch(`${MAPS}/w`, MERGE, { data: { a: 'b' } }),
      patch(`${MAPS}/w`, MERGE, { metadata: { labels: { app: 'db' } } }),
      patch(`${MAPS}/w`, MERGE, { metadata: { labels: { app: 'web' } } }),
      remove(`${MAPS}/w`),
      get(`${MAPS}?watch=1&timeoutSeconds=1&resourceVersion={{before.metadata.resourceVersion}}`),
      get(`${MAPS}?watch=1&timeoutSeconds=1&labelSelector=app=web&resourceVersion={{before.metadata.resourceVersion}}`),
      get(
        `${MAPS}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name=w&resourceVersion={{before.metadata.resourceVersion}}`,
      ),
      get(`${MAPS}?watch=1&timeoutSeconds=1&resourceVersion={{before.metadata.resourceVersion}}`, { accept: TABLE }),
      get(`${MAPS}?watch=1&timeoutSeconds=1&resourceVersion={{before.metadata.resourceVersion}}`, { accept: METADATA }),
      get(`${MAPS}?watch=1&timeoutSeconds=1`),
      get(
        `${MAPS}?watch=1&timeoutSeconds=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`,
      ),
      get('/api/v1/watch/namespaces/c-lists/configmaps/a?timeoutSeconds=1'),
      get(
        `${NODES}?watch=1&timeoutSeconds=1&labelSelector=a=b&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`,
      ),
      get(`${MAPS}?resourceVersion={{before.metadata.resourceVersion}}&resourceVersionMatch=Exact`),
    ],
  },
  {
    name: 'tables for people',
    steps: [
      get(`${NODES}/c-full`, { accept: TABLE }),
      get(`${NODES}?fieldSelector=metadata.name=c-plain`, { accept: TABLE }),
      get(`${NODES}?fieldSelector=metadata.name=c-plain&includeObject=Object`, { accept: TABLE }),
      get(`${NODES}?fieldSelector=metadata.name=c-plain&includeObject=None`, { accept: TABLE }),
      get('/api/v1/namespaces/c-services/services', { accept: TABLE }),
      get('/api/v1/namespaces/c-lists/configmaps', { accept: TABLE }),
      get('/api/v1/namespaces/c-metadata/secrets', { accept: TABLE }),
      get('/apis/coordination.k8s.io/v1/namespaces/c-metadata/leases', { accept: TABLE }),
      get('/apis/discovery.k8s.io/v1/namespaces/c-metadata/endpointslices', { accept: TABLE }),
      get('/apis/rbac.authorization.k8s.io/v1/clusterroles/c-role', { accept: TABLE }),
      get('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/c-binding', { accept: TABLE }),
      get('/api/v1/namespaces/c-lists', { accept: TABLE }),
      get(`${MAPS}?limit=1`, { accept: `${TABLE},application/json` }),
      get(MAPS, { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' }),
      get(`${MAPS}/a`, { accept: METADATA }),
    ],
  },
];
