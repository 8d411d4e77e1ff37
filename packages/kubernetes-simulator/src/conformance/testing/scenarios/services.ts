import type { JsonObject } from '../../../json.ts';
import { get, MERGE, patch, post, put, remove, type Scenario, type Step, STRATEGIC } from '../scenario.ts';

const NAMESPACE = post('/api/v1/namespaces', { metadata: { name: 'c-services' } });
const SERVICES = '/api/v1/namespaces/c-services/services';
const HTTP = [{ port: 80 }];

function service(name: string, spec: JsonObject, metadata: JsonObject = {}): Step {
  return post(SERVICES, { metadata: { name, ...metadata }, spec });
}

export const serviceScenarios: readonly Scenario[] = [
  {
    name: 'services of all types are made',
    steps: [
      NAMESPACE,
      service('balanced', { type: 'LoadBalancer', ports: HTTP }),
      service('node-port', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_123 }] }),
      service('two-protocols', {
        type: 'NodePort',
        ports: [
          { name: 'a', port: 80, nodePort: 30_124 },
          { name: 'b', port: 80, protocol: 'UDP', nodePort: 30_124 },
        ],
      }),
      service('local', { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: HTTP }),
      service('no-node-ports', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: HTTP }),
      service('headless', { clusterIP: 'None', ports: HTTP }),
      service('headless-selector', { clusterIP: 'None', selector: { a: 'b' } }),
      service('external-name', { type: 'ExternalName', externalName: 'a.example.com' }),
      service('sticky', {
        sessionAffinity: 'ClientIP',
        ports: [{ name: 'http', port: 80, targetPort: 'web', appProtocol: 'http' }],
      }),
      service('external-ips', { externalIPs: ['192.0.2.1'], ports: HTTP }),
      service('classy', {
        type: 'LoadBalancer',
        loadBalancerClass: 'example.com/x',
        loadBalancerSourceRanges: [' 10.0.0.0/8 '],
        ports: HTTP,
      }),
      service('with-status', { type: 'LoadBalancer', ports: HTTP }),
      service('prefers-dual', { ipFamilyPolicy: 'PreferDualStack', ports: HTTP }),
    ],
  },
  {
    name: 'services that break a rule are refused',
    steps: [
      service('refused', { clusterIP: '10.96.0.1', ports: HTTP }),
      service('refused', { clusterIP: '192.0.2.1', ports: HTTP }),
      service('refused', { clusterIP: 'x', ports: HTTP }),
      service('refused', { clusterIPs: ['10.96.9.9'], ports: HTTP }),
      service('refused', { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] }),
      service('refused', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_123 }] }),
      service('refused', {
        type: 'LoadBalancer',
        externalTrafficPolicy: 'Local',
        healthCheckNodePort: 30_123,
        ports: HTTP,
      }),
      service('refused', {}),
      service('refused', { ports: [{ port: 80 }, { port: 80 }] }),
      service('refused', {
        ports: [
          { name: 'a', port: 80 },
          { name: 'a', port: 81 },
        ],
      }),
      service('refused', {
        ports: [{ name: 'A.b', port: 0, protocol: 'ICMP', targetPort: 'a--very-long-name-', appProtocol: '-' }],
      }),
      service('refused', { ports: [{ port: 80, targetPort: 99_999 }] }),
      service('refused', { ports: [{ port: 80, nodePort: 30_125 }] }),
      service('refused', {
        type: 'Foo',
        sessionAffinity: 'Bar',
        externalTrafficPolicy: 'X',
        internalTrafficPolicy: 'Y',
        ports: HTTP,
      }),
      service('refused', { type: 'LoadBalancer', externalTrafficPolicy: 'X', trafficDistribution: 'Z', ports: HTTP }),
      service('refused', { ipFamilyPolicy: 'Z', ports: HTTP }),
      service('refused', { ipFamilies: ['IPv6'], ports: HTTP }),
      service('refused', { ipFamilies: ['IPv4', 'IPv6'], ports: HTTP }),
      service('refused', { ipFamilyPolicy: 'RequireDualStack', ports: HTTP }),
      service('refused', {
        loadBalancerSourceRanges: ['192.0.2.1'],
        externalIPs: ['127.0.0.1', 'x'],
        loadBalancerClass: 'a',
        ports: HTTP,
      }),
      service('refused', {
        type: 'LoadBalancer',
        loadBalancerSourceRanges: ['192.0.2.1', '10.0.0.1/8'],
        loadBalancerClass: 'a_',
        ports: HTTP,
      }),
      service('refused', {
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 999_999 } },
        ports: HTTP,
      }),
      service('refused', { type: 'ExternalName', clusterIP: '10.96.7.7', externalName: '-' }),
      service('refused', { type: 'ExternalName' }),
      service('refused', { type: 'LoadBalancer', clusterIP: 'None', ports: HTTP }),
      service('refused', { healthCheckNodePort: 31_999, allocateLoadBalancerNodePorts: true, ports: HTTP }),
      service(
        'S11',
        { ports: HTTP },
        { labels: { '-a': '-b' }, annotations: { '-x': 'y' }, finalizers: ['foo', 'a/b'] },
      ),
      service(
        'refused',
        { type: 'LoadBalancer', ports: HTTP },
        { annotations: { 'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8, x' } },
      ),
      service('9lives', { ports: HTTP }),
    ],
  },
  {
    name: 'services change their type and keep what they were given',
    steps: [
      service('changing', { type: 'LoadBalancer', ports: [{ name: 'http', port: 80 }] }),
      patch(`${SERVICES}/changing`, MERGE, {
        spec: {
          ports: [
            { name: 'http', port: 8080 },
            { name: 'https', port: 443 },
          ],
        },
      }),
      patch(`${SERVICES}/changing`, MERGE, { spec: { externalTrafficPolicy: 'Local' } }),
      patch(`${SERVICES}/changing`, MERGE, { spec: { healthCheckNodePort: 32_100 } }),
      patch(`${SERVICES}/changing`, MERGE, { spec: { externalTrafficPolicy: 'Cluster' } }),
      patch(`${SERVICES}/changing/status`, MERGE, { status: { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } } }),
      patch(`${SERVICES}/changing`, MERGE, { spec: { clusterIP: '10.96.5.5' } }),
      patch(`${SERVICES}/changing`, MERGE, { spec: { clusterIP: null, clusterIPs: null } }),
      patch(`${SERVICES}/changing`, MERGE, { spec: { allocateLoadBalancerNodePorts: false } }),
      patch(`${SERVICES}/changing`, MERGE, { spec: { loadBalancerClass: 'example.com/y' } }),
      patch(`${SERVICES}/changing`, MERGE, { spec: { type: 'ClusterIP' } }),
      patch(`${SERVICES}/changing`, MERGE, { spec: { type: 'NodePort' } }),
      patch(`${SERVICES}/changing`, MERGE, {
        spec: { type: 'ClusterIP', ports: [{ name: 'http', port: 80, nodePort: 30_555 }] },
      }),
      patch(`${SERVICES}/changing`, MERGE, { spec: { type: 'ExternalName', externalName: 'b.example.com' } }),
      patch(`${SERVICES}/changing`, MERGE, { spec: { type: 'LoadBalancer', externalName: null } }),
      put(`${SERVICES}/changing`, {
        metadata: { name: 'changing' },
        spec: { type: 'LoadBalancer', ports: [{ name: 'http', port: 80 }] },
      }),
      put(`${SERVICES}/put-anew`, { metadata: { name: 'put-anew' }, spec: { ports: HTTP } }),
      remove(`${SERVICES}/put-anew`),
      get(`${SERVICES}/put-anew`),
    ],
  },
  {
    name: 'the status of a service is its own',
    steps: [
      service('served', { type: 'LoadBalancer', ports: HTTP }),
      patch(`${SERVICES}/served/status`, STRATEGIC, {
        metadata: { finalizers: ['service.kubernetes.io/load-balancer-cleanup'] },
      }),
      patch(`${SERVICES}/served/status`, STRATEGIC, {
        status: {
          loadBalancer: {
            ingress: [
              { ip: '192.0.2.1' },
              { hostname: 'x.y' },
              { ip: '192.0.2.2', ipMode: 'Proxy', ports: [{ port: 80, protocol: 'TCP' }] },
            ],
          },
        },
      }),
      patch(`${SERVICES}/served`, MERGE, { status: { loadBalancer: null } }),
      patch(`${SERVICES}/served/status`, MERGE, { spec: { type: 'ClusterIP' } }),
      patch(`${SERVICES}/served/status`, MERGE, {
        status: {
          loadBalancer: {
            ingress: [{ ip: 'x' }, { hostname: '192.0.2.1', ipMode: 'VIP' }, { ip: '192.0.2.5', ipMode: 'Foo' }],
          },
        },
      }),
      patch(`${SERVICES}/node-port/status`, MERGE, { status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } }),
      remove(`${SERVICES}/served`),
      patch(`${SERVICES}/served/status`, STRATEGIC, { status: { loadBalancer: { ingress: null } } }),
      patch(`${SERVICES}/served/status`, STRATEGIC, { metadata: { finalizers: null } }),
      get(`${SERVICES}/served`),
    ],
  },
];
