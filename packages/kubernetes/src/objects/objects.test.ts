import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ENDPOINT_SLICES } from './endpoint-slice.ts';
import { NODES } from './node.ts';
import { PODS } from './others.ts';
import { SERVICES } from './service.ts';

describe('the decoder of a Node', () => {
  it('keeps what controllers read, taints whole, and nothing else', () => {
    const taint = { key: 'k', value: 'v', effect: 'NoSchedule', timeAdded: '2026-01-01T00:00:00Z' };
    const node = NODES.decode({
      metadata: {
        name: 'a',
        uid: 'u',
        resourceVersion: '7',
        creationTimestamp: '2026-01-01T00:00:00Z',
        labels: { l: '1' },
        annotations: { n: '2' },
        managedFields: [{ manager: 'kubelet' }],
      },
      spec: { providerID: 'p', unschedulable: true, taints: [taint, { key: 'bare', effect: 'NoExecute' }] },
      status: {
        addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
        conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', lastHeartbeatTime: 'x' }],
        images: [{ names: ['x'] }],
      },
    });
    assert.deepEqual(node, {
      metadata: {
        name: 'a',
        namespace: '',
        uid: 'u',
        resourceVersion: '7',
        creationTimestamp: '2026-01-01T00:00:00Z',
        labels: { l: '1' },
        annotations: { n: '2' },
        finalizers: [],
      },
      spec: { providerID: 'p', unschedulable: true, taints: [taint, { key: 'bare', effect: 'NoExecute' }] },
      status: {
        addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    });
  });

  it('shares equal conditions among nodes', () => {
    const ready = (): object => ({ metadata: {}, status: { conditions: [{ type: 'Ready', status: 'True' }] } });
    const [first, second] = [NODES.decode(ready()), NODES.decode(ready())];
    assert.equal(first.status.conditions[0], second.status.conditions[0]);
  });
});

describe('the decoder of a Service', () => {
  it('tells unset from empty where that makes a difference', () => {
    const decode = (spec: object): object => SERVICES.decode({ metadata: {}, spec }).spec;
    assert.ok(!('loadBalancerClass' in decode({})));
    assert.ok('loadBalancerClass' in decode({ loadBalancerClass: '' }));
    assert.ok(!('loadBalancerSourceRanges' in decode({})));
    assert.ok('loadBalancerSourceRanges' in decode({ loadBalancerSourceRanges: [] }));
    assert.ok(!('clientIPTimeoutSeconds' in decode({})));
  });

  it('reads ports, affinity and status', () => {
    const service = SERVICES.decode({
      metadata: { name: 's', namespace: 'n', deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['f'] },
      spec: {
        type: 'LoadBalancer',
        ports: [
          { name: 'http', protocol: 'TCP', port: 80, nodePort: 30_080, targetPort: 'web', appProtocol: 'http' },
          { port: 443, targetPort: 8443 },
        ],
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } },
        allocateLoadBalancerNodePorts: false,
      },
      status: {
        loadBalancer: { ingress: [{ ip: '192.0.2.1', ipMode: 'VIP', ports: [{ port: 80, protocol: 'TCP' }] }] },
      },
    });
    assert.equal(service.metadata.deletionTimestamp, '2026-01-01T00:00:00Z');
    assert.deepEqual(service.spec.ports, [
      { name: 'http', protocol: 'TCP', port: 80, nodePort: 30_080, targetPort: 'web', appProtocol: 'http' },
      { name: '', protocol: '', port: 443, nodePort: 0, targetPort: 8443, appProtocol: '' },
    ]);
    assert.equal(service.spec.clientIPTimeoutSeconds, 10_800);
    assert.equal(service.spec.allocateLoadBalancerNodePorts, false);
    assert.deepEqual(service.status.loadBalancer.ingress, [
      { ip: '192.0.2.1', ipMode: 'VIP', ports: [{ port: 80, protocol: 'TCP' }] },
    ]);
  });
});

describe('the decoder of an EndpointSlice', () => {
  it('keeps its Service and the nodes of endpoints that do not say they are not ready', () => {
    const slice = ENDPOINT_SLICES.decode({
      metadata: { name: 'web-1', labels: { 'kubernetes.io/service-name': 'web' }, annotations: { a: 'b' } },
      endpoints: [
        { addresses: ['10.0.0.1'], nodeName: 'b' },
        { addresses: ['10.0.0.2'], nodeName: 'b', conditions: { ready: true } },
        { addresses: ['10.0.0.3'], nodeName: 'a', conditions: {} },
        { addresses: ['10.0.0.4'], nodeName: 'c', conditions: { ready: false, serving: true, terminating: true } },
        { addresses: ['10.0.0.5'] },
      ],
    });
    assert.equal(slice.serviceName, 'web');
    assert.deepEqual(slice.readyNodes, ['a', 'b']);
    assert.deepEqual([slice.metadata.labels, slice.metadata.annotations], [{}, {}]);
  });

  it('takes a slice without endpoints and without a Service', () => {
    const { serviceName, readyNodes } = ENDPOINT_SLICES.decode({ metadata: {}, endpoints: null });
    assert.deepEqual([serviceName, readyNodes], ['', []]);
  });
});

describe('the decoder of a Pod', () => {
  it('reads the node it runs on', () => {
    assert.equal(PODS.decode({ metadata: {}, spec: { nodeName: 'a' } }).spec.nodeName, 'a');
  });
});
