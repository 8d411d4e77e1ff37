import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { someMetadata } from '../testing/objects.ts';
import { additionalLabels, changedLabels, placementLabels, reconciledLabels } from './labels.ts';

const BETA = {
  'failure-domain.beta.kubernetes.io/zone': 'zone1',
  'failure-domain.beta.kubernetes.io/region': 'region1',
  'beta.kubernetes.io/instance-type': 'large',
};
const STABLE = {
  'topology.kubernetes.io/zone': 'zone1',
  'topology.kubernetes.io/region': 'region1',
  'node.kubernetes.io/instance-type': 'large',
};

describe('Node labels', () => {
  test('get their stable names from the beta ones (L1)', () => {
    assert.deepEqual(reconciledLabels(BETA), STABLE);
  });

  test('are left alone when both generations agree (L2)', () => {
    assert.deepEqual(reconciledLabels({ ...BETA, ...STABLE }), {});
  });

  test('follow the beta ones where they differ (L3)', () => {
    const wrong = { ...STABLE, 'topology.kubernetes.io/zone': 'zone9' };
    assert.deepEqual(reconciledLabels({ ...BETA, ...wrong }), { 'topology.kubernetes.io/zone': 'zone1' });
  });

  test('are left alone when there are only stable ones (L4)', () => {
    assert.deepEqual(reconciledLabels(STABLE), {});
  });

  test('of type, zone and region come in both generations, without empty ones (N5)', () => {
    const metadata = someMetadata({ instanceType: 'large', zone: 'zone1', region: 'region1' });
    assert.deepEqual(placementLabels(metadata), { ...BETA, ...STABLE });
    assert.deepEqual(placementLabels(someMetadata()), {});
  });

  test('of the cloud never replace those of Kubernetes or of the node (N18, N19)', () => {
    const { added, warnings } = additionalLabels(
      {
        'topology.kubernetes.io/a': '1',
        'topology.k8s.io/a': '1',
        'kubernetes.io/a': '1',
        'k8s.io/a': '1',
        'my.custom.label/foo': 'bar',
        'my.custom.label/bar': 'foo',
        'app.k8snio/bar': 'x',
        'k8snio/bar': 'y',
      },
      { 'my.custom.label/foo': 'fizz', 'my.custom.label/bar': 'foo' },
    );
    assert.deepEqual(added, { 'app.k8snio/bar': 'x', 'k8snio/bar': 'y' });
    assert.equal(warnings.length, 5);
    assert.match(warnings.join('\n'), /my\.custom\.label\/foo that is already present/);
  });

  test('change only where the machine has', () => {
    assert.deepEqual(changedLabels({ a: '1', b: '2', c: '3' }, { a: '1', b: 'x' }), { b: '2', c: '3' });
  });
});
