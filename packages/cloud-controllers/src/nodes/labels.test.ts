import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { someMetadata } from '../testing/objects.ts';
import { planLabels, placementLabels, reconciledLabels, type LabelPlan, type Labels } from './labels.ts';

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
    const additionalLabels = {
      'topology.kubernetes.io/a': '1',
      'topology.k8s.io/a': '1',
      'kubernetes.io/a': '1',
      'k8s.io/a': '1',
      'my.custom.label/foo': 'bar',
      'my.custom.label/bar': 'foo',
      'app.k8snio/bar': 'x',
      'k8snio/bar': 'y',
    };
    const present = { 'my.custom.label/foo': 'fizz', 'my.custom.label/bar': 'foo' };
    const { changes, record, warnings } = plan({ additionalLabels }, present, {}, true);
    assert.deepEqual(changes, { 'app.k8snio/bar': 'x', 'k8snio/bar': 'y' });
    assert.deepEqual(record, changes, 'what the node had already is not ours');
    assert.equal(warnings.length, 5);
    assert.match(warnings.join('\n'), /my\.custom\.label\/foo that is already present/);
  });
});

const OWN_TYPE = { 'node.kubernetes.io/instance-type': 'gpu-box' };
const TYPE = { 'beta.kubernetes.io/instance-type': 'large', 'node.kubernetes.io/instance-type': 'large' };
const SMALL = { 'beta.kubernetes.io/instance-type': 'small', 'node.kubernetes.io/instance-type': 'small' };

function plan(
  machine: Parameters<typeof someMetadata>[0],
  present: Labels,
  applied: Labels,
  overrule = false,
): LabelPlan {
  return planLabels({ metadata: someMetadata(machine), present, applied, overrule });
}

describe('Labels of an initialised node', () => {
  test('follow a resize where they are ours', () => {
    const { changes, record } = plan({ instanceType: 'large' }, SMALL, SMALL);
    assert.deepEqual(changes, TYPE);
    assert.deepEqual(record, TYPE);
  });

  test('are at rest when nothing changed', () => {
    const first = plan({ instanceType: 'large', additionalLabels: { rack: 'r1' } }, {}, {});
    const present = { ...TYPE, rack: 'r1', team: 'shop' };
    const second = plan({ instanceType: 'large', additionalLabels: { rack: 'r1' } }, present, first.record);
    assert.deepEqual(second.changes, {});
    assert.deepEqual(second.record, first.record);
  });

  test('keep a value that somebody gave them, and are not counted as ours', () => {
    const { changes, record } = plan({ instanceType: 'large' }, { ...SMALL, ...OWN_TYPE }, SMALL);
    assert.deepEqual(changes, { 'beta.kubernetes.io/instance-type': 'large' });
    assert.deepEqual(Object.keys(record), ['beta.kubernetes.io/instance-type']);
  });

  test('that nobody wrote down as ours stay, and become ours where they are right', () => {
    const present = { ...OWN_TYPE, 'beta.kubernetes.io/instance-type': 'large' };
    const { changes, record } = plan({ instanceType: 'large' }, present, {});
    assert.deepEqual(changes, {});
    assert.deepEqual(record, { 'beta.kubernetes.io/instance-type': 'large' });
  });

  test('come back when somebody removed them', () => {
    assert.deepEqual(plan({ instanceType: 'large' }, {}, TYPE).changes, TYPE);
  });

  test('go with the tag they came from, unless somebody else uses them now', () => {
    const applied = { rack: 'r1', row: '7' };
    const { changes, record } = plan({}, { rack: 'r1', row: '8' }, applied);
    assert.deepEqual(changes, { rack: null });
    assert.deepEqual(record, {});
  });

  test('of type, zone and region stay when the cloud says nothing about them', () => {
    assert.deepEqual(plan({}, TYPE, TYPE).changes, {});
  });

  test('may have any name', () => {
    assert.deepEqual(plan({ additionalLabels: { constructor: 'x' } }, {}, {}).changes, { constructor: 'x' });
  });

  test('that a user had first do not go with the tag', () => {
    const first = plan({ additionalLabels: { rack: 'r1' } }, { rack: 'r1' }, {});
    assert.deepEqual(plan({}, { rack: 'r1' }, first.record).changes, {});
  });
});
