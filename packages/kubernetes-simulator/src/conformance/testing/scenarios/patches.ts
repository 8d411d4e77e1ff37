import { get, JSON_PATCH, MERGE, patch, post, type Scenario, STRATEGIC } from '../scenario.ts';

const NODES = '/api/v1/nodes';
const SERVICES = '/api/v1/namespaces/c-patches/services';
const MAPS = '/api/v1/namespaces/c-patches/configmaps';

export const patchScenarios: readonly Scenario[] = [
  {
    name: 'JSON patches',
    steps: [
      post('/api/v1/namespaces', { metadata: { name: 'c-patches' } }),
      post(MAPS, { metadata: { name: 'json', labels: { 'a/b': 'c' } }, data: { a: '1', b: '2' } }),
      patch(`${MAPS}/json`, JSON_PATCH, [
        { op: 'test', path: '/data/a', value: '1' },
        { op: 'replace', path: '/data/a', value: '9' },
        { op: 'remove', path: '/data/b' },
        { op: 'add', path: '/metadata/labels/x~1y', value: 'z' },
        { op: 'copy', from: '/data/a', path: '/data/c' },
        { op: 'move', from: '/metadata/labels/a~1b', path: '/metadata/labels/q' },
      ]),
      patch(`${MAPS}/json`, JSON_PATCH, [{ op: 'test', path: '/metadata/name', value: 'x' }]),
      patch(`${MAPS}/json`, JSON_PATCH, [{ op: 'remove', path: '/metadata/foo' }]),
      patch(`${MAPS}/json`, JSON_PATCH, { op: 'remove', path: '/metadata/foo' }),
      patch(`${MAPS}/json`, JSON_PATCH, [{ op: 'replace', path: '/metadata/labels', value: 5 }]),
      patch(`${MAPS}/json`, JSON_PATCH, [{ op: 'add', path: '/metadata/finalizers', value: ['a.b/c'] }]),
      patch(`${MAPS}/json`, JSON_PATCH, [{ op: 'add', path: '/metadata/finalizers/-', value: 'd.e/f' }]),
      patch(`${MAPS}/json`, JSON_PATCH, [{ op: 'add', path: '/metadata/finalizers/0', value: 'g.h/i' }]),
      patch(`${MAPS}/json`, JSON_PATCH, [{ op: 'remove', path: '/metadata/finalizers/1' }]),
    ],
  },
  {
    name: 'merge patches',
    steps: [
      post(MAPS, { metadata: { name: 'merge' }, data: { a: '1', b: '2' } }),
      patch(`${MAPS}/merge`, MERGE, { data: { a: null, c: '3' } }),
      patch(`${MAPS}/merge`, MERGE, {}),
      patch(`${MAPS}/merge`, MERGE, { data: null }),
      patch(`${MAPS}/merge`, MERGE, { metadata: { labels: { a: 5 } } }),
      { method: 'PATCH', path: `${MAPS}/merge`, contentType: MERGE, text: '{"data":' },
      patch(`${MAPS}/merge`, MERGE, []),
      patch(`${MAPS}/merge`, 'application/json', {}),
      patch(`${MAPS}/none`, MERGE, {}),
      patch(`${MAPS}/merge?force=true`, MERGE, {}),
      patch(`${MAPS}/merge?fieldValidation=Strict`, MERGE, { foo: 1 }),
      patch(`${MAPS}/merge`, MERGE, { foo: 1, metadata: { bar: 2 } }),
      patch(`${MAPS}/merge?dryRun=All`, MERGE, { data: { dry: 'run' } }),
      patch(`${MAPS}/merge?fieldManager=somebody`, MERGE, { data: { x: 'y' } }),
      get(`${MAPS}/merge`),
    ],
  },
  {
    name: 'strategic merge patches',
    steps: [
      post(SERVICES, {
        metadata: { name: 'strategic', finalizers: ['a.b/c', 'd.e/f'] },
        spec: {
          type: 'NodePort',
          selector: { a: 'b' },
          ports: [
            { name: 'http', port: 80, nodePort: 30_200 },
            { name: 'https', port: 443, nodePort: 30_201 },
          ],
        },
      }),
      patch(`${SERVICES}/strategic`, STRATEGIC, {
        spec: {
          ports: [
            { port: 443, targetPort: 8443 },
            { name: 'new', port: 90, nodePort: 30_202 },
          ],
        },
      }),
      patch(`${SERVICES}/strategic`, STRATEGIC, {
        spec: {
          '$setElementOrder/ports': [{ port: 90 }, { port: 80 }],
          ports: [{ $patch: 'delete', port: 443 }],
        },
      }),
      patch(`${SERVICES}/strategic`, STRATEGIC, {
        spec: { ports: [{ $patch: 'replace' }, { name: 'only', port: 1 }] },
      }),
      patch(`${SERVICES}/strategic`, STRATEGIC, { spec: { selector: { c: 'd' } } }),
      patch(`${SERVICES}/strategic`, STRATEGIC, { spec: { selector: { $patch: 'replace', e: 'f' } } }),
      patch(`${SERVICES}/strategic`, STRATEGIC, {
        metadata: { '$setElementOrder/finalizers': ['x.y/z', 'a.b/c'], finalizers: ['x.y/z'] },
      }),
      patch(`${SERVICES}/strategic`, STRATEGIC, {
        metadata: {
          '$deleteFromPrimitiveList/finalizers': ['d.e/f'],
          '$setElementOrder/finalizers': ['a.b/c', 'x.y/z'],
        },
      }),
      patch(`${SERVICES}/strategic`, STRATEGIC, { spec: { ports: [{ nodePort: 30_300 }] } }),
      patch(`${SERVICES}/strategic`, STRATEGIC, { metadata: { labels: { a: 5 } } }),
      patch(`${SERVICES}/strategic?fieldValidation=Strict`, STRATEGIC, { spec: { foo: 1 } }),
      { method: 'PATCH', path: `${SERVICES}/strategic`, contentType: STRATEGIC, text: '{"spec":' },
      patch(`${NODES}/c-plain/status`, STRATEGIC, { status: { conditions: [{ status: 'True' }] } }),
      patch(`${NODES}/c-plain/status`, STRATEGIC, { status: { capacity: { $patch: 'replace', cpu: '1' } } }),
      patch(`${NODES}/c-plain`, STRATEGIC, { metadata: { annotations: { $patch: 'delete' } } }),
    ],
  },
];
