import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { Service } from '@cloudstack-ccm/kubernetes';

import { aService } from '../testing/objects.ts';
import { CLEANUP_FINALIZER, needsCleanup, needsUpdate, wantsLoadBalancer } from './predicates.ts';

const [PORT] = aService('web').spec.ports;
const ports = (changes: Partial<Service['spec']['ports'][number]>) => ({
  ports: [{ name: 'http', protocol: 'TCP', port: 80, nodePort: 31_080, targetPort: 20, appProtocol: '', ...changes }],
});

const changes = (before: Partial<Service['spec']>, after: Partial<Service['spec']>): boolean =>
  needsUpdate(aService('web', { spec: before }), aService('web', { spec: after }));

describe('A Service', () => {
  test('wants a load balancer of ours unless it names a class, even an empty one', () => {
    assert.equal(wantsLoadBalancer(aService('web')), true);
    assert.equal(wantsLoadBalancer(aService('web', { spec: { loadBalancerClass: '' } })), false);
    assert.equal(wantsLoadBalancer(aService('web', { spec: { type: 'NodePort' } })), false);
  });

  test('needs cleanup when it has the finalizer and is going, or is no load balancer (S16)', () => {
    const finalizers = [CLEANUP_FINALIZER];
    assert.equal(needsCleanup(aService('web')), false);
    assert.equal(needsCleanup(aService('web', { metadata: { finalizers }, spec: { type: 'NodePort' } })), true);
    assert.equal(needsCleanup(aService('web', { metadata: { finalizers } })), false);
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    assert.equal(needsCleanup(aService('web', { metadata: { finalizers, deletionTimestamp } })), true);
    assert.equal(needsCleanup(aService('web', { metadata: { finalizers: ['x'], deletionTimestamp } })), false);
  });
});

describe('A change of a Service matters', () => {
  const cases: Readonly<Record<string, [Partial<Service['spec']>, Partial<Service['spec']>]>> = {
    'type (D1)': [{}, { type: 'ClusterIP' }],
    'type back (D1)': [{ type: 'NodePort' }, {}],
    'port number (D2)': [{}, ports({ port: 81 })],
    'number of ports (D2)': [{}, { ports: PORT ? [PORT, PORT] : [] }],
    'number of external IPs (D3)': [{ externalIPs: ['1.1.1.1'] }, { externalIPs: ['1.1.1.1', '2.2.2.2'] }],
    'external IPs (D4)': [{ externalIPs: ['1.1.1.1'] }, { externalIPs: ['2.2.2.2'] }],
    'traffic policy (D6)': [{}, { externalTrafficPolicy: 'Local' }],
    'health check port (D7)': [{}, { healthCheckNodePort: 31_000 }],
    'target port (D8)': [ports({ targetPort: 20 }), ports({ targetPort: 21 })],
    'target port name (D9)': [ports({ targetPort: 22 }), ports({ targetPort: 'dns' })],
    'number of families (D11)': [{}, { ipFamilies: ['IPv4', 'IPv6'] }],
    'app protocol (D13)': [ports({}), ports({ appProtocol: 'http' })],
    'other app protocol (D13)': [ports({ appProtocol: 'http' }), ports({ appProtocol: 'tcp' })],
    'source ranges, from unset to empty (D15)': [{}, { loadBalancerSourceRanges: [] }],
    'source ranges, order (D15)': [
      { loadBalancerSourceRanges: ['10.0.0.0/8', '11.0.0.0/8'] },
      { loadBalancerSourceRanges: ['11.0.0.0/8', '10.0.0.0/8'] },
    ],
    'session affinity (D15)': [{}, { sessionAffinity: 'ClientIP' }],
    'affinity time-out (D15)': [{ clientIPTimeoutSeconds: 10 }, { clientIPTimeoutSeconds: 20 }],
    'load balancer IP (D15)': [{}, { loadBalancerIP: '1.2.3.4' }],
    'node port (D15)': [{}, ports({ nodePort: 31_081 })],
    'port name (D15)': [ports({}), ports({ name: 'web' })],
    class: [{}, { loadBalancerClass: 'x' }],
  };
  for (const [what, [before, after]] of Object.entries(cases)) {
    test(what, () => assert.equal(changes(before, after), true));
  }

  test('annotation (D15), UID (D5)', () => {
    const web = aService('web');
    assert.equal(needsUpdate(web, aService('web', { metadata: { annotations: { a: 'b' } } })), true);
    assert.equal(needsUpdate(web, aService('web', { metadata: { uid: 'another' } })), true);
  });
});

describe('A change of a Service does not matter', () => {
  test('when nothing changed (D10, D12)', () => {
    assert.equal(changes({}, {}), false);
    assert.equal(changes({ ipFamilies: ['IPv4'] }, { ipFamilies: ['IPv6'] }), false);
  });

  test('when it is labels, cluster IPs, finalizers or status (D14)', () => {
    const changed = aService('web', {
      metadata: { labels: { a: 'b' }, finalizers: [CLEANUP_FINALIZER], resourceVersion: '2' },
      spec: { clusterIPs: ['10.96.0.1'], ipFamilyPolicy: 'PreferDualStack', allocateLoadBalancerNodePorts: false },
      ingress: [{ ip: '1.2.3.4' }],
    });
    assert.equal(needsUpdate(aService('web'), changed), false);
  });

  test('when it never was a load balancer of ours (D16)', () => {
    assert.equal(changes({ type: 'ClusterIP' }, { type: 'NodePort' }), false);
    assert.equal(changes({ loadBalancerClass: 'x' }, { loadBalancerClass: 'x', loadBalancerIP: '1.1.1.1' }), false);
  });
});
