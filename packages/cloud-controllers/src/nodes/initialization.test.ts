import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { aNode, someMetadata, UNINITIALIZED } from '../testing/objects.ts';
import { initializationPatch, planInitialization } from './initialization.ts';

const OTHER = { key: 'dedicated', value: 'gpu', effect: 'NoExecute' };

describe('Initialising a node', () => {
  test('changes provider ID, labels and taints in one patch that is bound to what was read', () => {
    const node = aNode('node0', { taints: [UNINITIALIZED, OTHER] });
    const plan = planInitialization(node, someMetadata({ instanceType: 'large', additionalLabels: { 'a.b/c': 'd' } }));
    assert.deepEqual(initializationPatch(node, plan), {
      metadata: {
        resourceVersion: '1',
        labels: {
          'a.b/c': 'd',
          'beta.kubernetes.io/instance-type': 'large',
          'node.kubernetes.io/instance-type': 'large',
        },
        annotations: {
          'cloudstack.apache.org/applied-labels':
            '{"a.b/c":"d","beta.kubernetes.io/instance-type":"large","node.kubernetes.io/instance-type":"large"}',
        },
      },
      spec: { providerID: 'fake://12345', taints: [OTHER] },
    });
  });

  test('gives type, zone and region whatever the node had, as the framework does', () => {
    const labels = { 'node.kubernetes.io/instance-type': 'guess', team: 'shop' };
    const node = aNode('node0', { taints: [UNINITIALIZED], labels });
    const plan = planInitialization(node, someMetadata({ instanceType: 'large', additionalLabels: { team: 'tag' } }));
    assert.deepEqual(plan.labels, {
      'beta.kubernetes.io/instance-type': 'large',
      'node.kubernetes.io/instance-type': 'large',
    });
    assert.equal(plan.appliedLabels['team'], undefined);
  });

  test('removes every taint of that key, whatever its effect, and empties the list with null (N6)', () => {
    const node = aNode('node0', { taints: [UNINITIALIZED, { ...UNINITIALIZED, effect: 'NoExecute' }] });
    assert.deepEqual(initializationPatch(node, planInitialization(node, someMetadata())), {
      metadata: { resourceVersion: '1', labels: {} },
      spec: { providerID: 'fake://12345', taints: null },
    });
  });

  test('never overwrites a provider ID (N11, N13)', () => {
    const node = aNode('node0', { taints: [UNINITIALIZED], providerID: 'kind://docker/a/node0' });
    assert.equal(planInitialization(node, someMetadata()).providerId, undefined);
  });

  test('stops at a provided IP that is wrong or not the machine’s (N9, N10)', () => {
    const annotated = (ip: string) => aNode('node0', { annotations: { 'alpha.kubernetes.io/provided-node-ip': ip } });
    assert.throws(() => planInitialization(annotated('10.0.0.2'), someMetadata()), {
      message:
        'provided node ip for node "node0" is not valid: ' +
        'failed to get node address from cloud provider that matches ip: 10.0.0.2',
    });
    assert.throws(
      () => planInitialization(annotated('invalid-ip'), someMetadata()),
      /^Error: provided node ip|ProvidedNodeIpError: provided node ip for node "node0" is not valid: failed to parse/,
    );
    assert.throws(() => planInitialization(annotated('10.0.0.1'), someMetadata({ addresses: [] })), /matches ip/);
  });
});
