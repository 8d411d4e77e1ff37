import type { JsonObject } from '../../../json.ts';
import { APPLY, apply, get, MERGE, patch, post, type Scenario } from '../scenario.ts';

const NODES = '/api/v1/nodes';
const SERVICE = '/api/v1/namespaces/c-apply/services/applied';

function node(name: string, more: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, ...metadata }, ...more };
}

function service(spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'applied', ...metadata }, spec };
}

export const applyScenarios: readonly Scenario[] = [
  {
    name: 'server-side apply of labels',
    steps: [
      apply(`${NODES}/c-applied`, 'me', node('c-applied', {}, { labels: { a: 'b' } })),
      apply(`${NODES}/c-applied`, 'me', node('c-applied', {}, { labels: { a: 'b' } })),
      apply(`${NODES}/c-applied`, 'you', node('c-applied', {}, { labels: { a: 'c', d: 'e' } })),
      apply(`${NODES}/c-applied`, 'you', node('c-applied', {}, { labels: { a: 'c', d: 'e' } }), '&force=true'),
      apply(`${NODES}/c-applied`, 'you', node('c-applied', {}, { labels: { d: 'e' } })),
      apply(`${NODES}/c-applied`, 'me', node('c-applied', {}, { labels: { d: 'e', f: 'g' } })),
      patch(`${NODES}/c-applied`, MERGE, { metadata: { labels: { f: 'changed', h: 'i' } } }),
      apply(`${NODES}/c-applied`, 'me', node('c-applied', {}, { labels: { f: 'g' } })),
      apply(`${NODES}/c-applied`, 'me', node('c-applied', {}, { labels: { h: 'i' } })),
      apply(
        `${NODES}/c-applied/status`,
        'me',
        node('c-applied', { status: { addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] } }),
      ),
      apply(
        `${NODES}/c-applied/status`,
        'me',
        node('c-applied', { status: { addresses: [{ type: 'Hostname', address: 'x' }] } }),
      ),
      apply(`${NODES}/c-applied`, 'me', node('c-applied', {})),
      get(`${NODES}/c-applied`),
    ],
  },
  {
    name: 'server-side apply that is refused',
    steps: [
      patch(`${NODES}/c-refused`, APPLY, node('c-refused', {})),
      apply(`${NODES}/c-applied`, 'me', node('c-applied', { spec: { foo: 1 } })),
      apply(`${NODES}/c-applied`, 'me', { kind: 'Node', metadata: { name: 'c-applied' } }),
      apply(`${NODES}/c-applied`, 'me', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'c-applied' } }),
      apply(`${NODES}/c-applied`, 'me', node('other', {})),
      apply(`${NODES}/c-applied`, 'me', node('c-applied', {}, { managedFields: [] })),
      apply(`${NODES}/c-applied`, 'me', node('c-applied', {}, { resourceVersion: '1' })),
      apply(`${NODES}/c-applied`, 'me', node('c-applied', { spec: { taints: [{ key: 'x' }] } })),
      apply('/api/v1/namespaces/none/services/x', 'me', service({ ports: [{ port: 80 }] }, { name: 'x' })),
    ],
  },
  {
    name: 'server-side apply of lists',
    steps: [
      post('/api/v1/namespaces', { metadata: { name: 'c-apply' } }),
      apply(
        SERVICE,
        'me',
        service(
          {
            type: 'LoadBalancer',
            selector: { a: 'b' },
            ports: [
              { name: 'http', port: 80 },
              { name: 'https', port: 443, protocol: 'TCP' },
            ],
          },
          { finalizers: ['a.b/c'] },
        ),
      ),
      apply(
        SERVICE,
        'you',
        service({ ports: [{ name: 'dns', port: 53, protocol: 'UDP' }] }, { finalizers: ['d.e/f'] }),
      ),
      apply(
        SERVICE,
        'me',
        service({
          type: 'LoadBalancer',
          selector: { c: 'd' },
          ports: [{ name: 'https', port: 443, targetPort: 8443 }],
        }),
      ),
      apply(SERVICE, 'you', service({ ports: [{ name: 'tls', port: 443 }] })),
      apply(
        SERVICE,
        'you',
        service({ loadBalancerSourceRanges: ['10.0.0.0/8'], ports: [{ port: 443, appProtocol: 'https' }] }),
      ),
      apply(SERVICE, 'you', service({})),
      apply(SERVICE, 'me', service({ type: 'LoadBalancer', ports: [{ name: 'https', port: 443 }] })),
      get(SERVICE),
    ],
  },
  {
    name: 'managed fields that a client edits',
    steps: [
      patch(SERVICE, MERGE, { metadata: { managedFields: [{}] } }),
      patch(SERVICE, MERGE, { metadata: { labels: { tracked: 'no' } } }),
      apply(SERVICE, 'late', service({ type: 'LoadBalancer', ports: [{ name: 'https', port: 443 }] })),
    ],
  },
];
