import type { JsonValue } from '../../../json.ts';
import { get, post, put, type Scenario, type Step } from '../scenario.ts';

const SERVICES = '/api/v1/namespaces/default/services';

function spec(value: JsonValue, more: Partial<Step> = {}): Step {
  return post(SERVICES, { metadata: { name: 'c-decoding' }, spec: value }, more);
}

function metadata(value: JsonValue): Step {
  return post(SERVICES, { metadata: value, spec: { ports: [{ port: 80 }] } });
}

function text(body: string): Step {
  return { method: 'POST', path: SERVICES, text: body };
}

export const decodingScenarios: readonly Scenario[] = [
  {
    name: 'bodies that are no objects of the kind',
    steps: [
      spec({ ports: [{ port: 'x' }] }),
      spec({ ports: [{ port: 1.5 }] }),
      spec({ ports: [{ port: 99_999_999_999 }] }),
      spec({ ports: { port: 1 } }),
      spec({ ports: [{ port: 1, targetPort: true }] }),
      spec({ publishNotReadyAddresses: 'yes' }),
      spec('x'),
      spec([]),
      metadata({ name: 5 }),
      metadata({ name: 'a', labels: { a: 5 } }),
      metadata({ name: 'a', labels: ['a'] }),
      metadata({ name: 'a', creationTimestamp: 'foo' }),
      metadata({ name: 'a', namespace: 'kube-system' }),
      text('[]'),
      text('"x"'),
      text('{'),
      text(''),
      post(SERVICES, { kind: 'Node', apiVersion: 'v1', metadata: { name: 'a' } }),
      post(SERVICES, { kind: 'Foo', apiVersion: 'v1', metadata: { name: 'a' } }),
      post(SERVICES, { kind: 'Service', apiVersion: 'v2', metadata: { name: 'a' } }),
      post(SERVICES, {}, { contentType: 'text/plain' }),
    ],
  },
  {
    name: 'unknown fields',
    steps: [
      post(`${SERVICES}?fieldValidation=Strict`, {
        metadata: { name: 'a', foo: 1 },
        spec: { bar: { x: 1 }, ports: [{ port: 1, q: 1 }] },
      }),
      post(`${SERVICES}?dryRun=All`, {
        metadata: { name: 'a', foo: 1 },
        spec: { bar: { x: 1 }, ports: [{ port: 1, q: 1 }] },
      }),
      post(`${SERVICES}?dryRun=All&fieldValidation=Ignore`, {
        metadata: { name: 'a', foo: 1 },
        spec: { ports: [{ port: 1 }] },
      }),
    ],
  },
  {
    name: 'YAML is read too',
    steps: [
      {
        method: 'POST',
        path: `${SERVICES}?dryRun=All`,
        contentType: 'application/yaml',
        text: 'apiVersion: v1\nkind: Service\nmetadata:\n  name: yaml\nspec:\n  ports:\n  - port: 80\n',
      },
    ],
  },
  {
    name: 'paths and methods that lead nowhere',
    steps: [
      get('/api/v1/namespaces/default/foos'),
      get('/api/v1/foos'),
      get('/apis/foo/v1/bars'),
      get('/foo'),
      get('/api/v1/nodes/x/foo'),
      get('/api/v1/namespaces/default/configmaps/x/status'),
      get('/api/v1/services/x'),
      post('/api/v1/services', { metadata: { name: 'x' } }),
      put('/api/v1/nodes', {}),
      post('/api/v1/nodes/x', {}),
      post('/api/v1/nodes/x/status', {}),
      get('/api/v1/namespaces/default/nodes'),
    ],
  },
];
