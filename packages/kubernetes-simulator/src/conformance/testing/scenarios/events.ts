import type { JsonObject } from '../../../json.ts';
import { get, MERGE, patch, post, put, remove, type Scenario, TABLE } from '../scenario.ts';

const CORE = '/api/v1/namespaces/c-events/events';
const NEW = '/apis/events.k8s.io/v1/namespaces/c-events/events';
const ABOUT: JsonObject = { kind: 'Service', apiVersion: 'v1', namespace: 'c-events', name: 'web' };
const RECORDED: JsonObject = {
  reason: 'EnsuringLoadBalancer',
  message: 'Ensuring load balancer',
  type: 'Normal',
  source: { component: 'service-controller' },
  firstTimestamp: '2026-01-01T00:00:00Z',
  lastTimestamp: '2026-01-01T00:00:00Z',
  count: 1,
};
const MODERN: JsonObject = {
  eventTime: '2026-01-01T00:00:00.000000Z',
  action: 'Ensuring',
  reason: 'Ensured',
  type: 'Normal',
  regarding: ABOUT,
  note: 'done',
  reportingController: 'x.y/z',
  reportingInstance: 'z-1',
};

export const eventScenarios: readonly Scenario[] = [
  {
    name: 'events of both APIs are the same objects',
    steps: [
      post('/api/v1/namespaces', { metadata: { name: 'c-events' } }),
      post(CORE, { metadata: { name: 'web.1' }, involvedObject: ABOUT, ...RECORDED }),
      patch(`${CORE}/web.1`, MERGE, { count: 2, lastTimestamp: '2026-01-01T00:01:00Z' }),
      get(`${NEW}/web.1`),
      post(NEW, { metadata: { name: 'web.2' }, ...MODERN }),
      get(`${CORE}/web.2`),
      get(`${CORE}?fieldSelector=involvedObject.name=web,involvedObject.kind=Service,type=Normal,reason=Ensured`),
      get(`${CORE}?fieldSelector=source=service-controller`),
      get(`${CORE}?fieldSelector=involvedObject.foo=x`),
      get(`${NEW}?fieldSelector=regarding.name=web,reportingController=x.y/z`),
      get(CORE, { accept: TABLE }),
      get(`${NEW}/web.2`, { accept: TABLE }),
      get(`${NEW}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name=web.2`),
    ],
  },
  {
    name: 'events that break a rule are refused',
    steps: [
      post(CORE, { metadata: { name: 'e.1' }, involvedObject: { ...ABOUT, namespace: 'other' }, ...RECORDED }),
      post(CORE, { metadata: { name: 'e.1' }, involvedObject: { kind: 'Node', name: 'n' }, ...RECORDED }),
      post(CORE, { metadata: { name: 'e.1' }, involvedObject: ABOUT, eventTime: '2026-01-01T00:00:00.000000Z' }),
      post('/api/v1/namespaces/default/events', {
        metadata: { name: 'c-node.1' },
        involvedObject: { kind: 'Node', name: 'n' },
        ...RECORDED,
      }),
      post(NEW, { metadata: { name: 'e.1' }, regarding: ABOUT }),
      post(NEW, { metadata: { name: 'e.1' }, ...MODERN, type: 'Odd', deprecatedCount: 3, series: { count: 1 } }),
      patch(`${NEW}/web.2`, MERGE, { note: 'changed' }),
      patch(`${NEW}/web.2`, MERGE, { series: { count: 2, lastObservedTime: '2026-01-01T00:05:00.000000Z' } }),
      put(`${CORE}/put.1`, { metadata: { name: 'put.1' }, involvedObject: ABOUT, ...RECORDED }),
      remove(`${NEW}/put.1`),
    ],
  },
];
