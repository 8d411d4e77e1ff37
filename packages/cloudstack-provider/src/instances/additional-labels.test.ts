import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_NODE_OPTIONS, type NodeOptions } from '../cloud-config/node-options.ts';
import { additionalLabelsOf } from './additional-labels.ts';
import { machine } from './testing/machines.ts';

const labelsOf = (changes: Parameters<typeof machine>[1], options: Partial<NodeOptions> = {}) =>
  additionalLabelsOf(machine('vm-1', changes), { ...DEFAULT_NODE_OPTIONS, ...options });

const HOST = 'topology.cloudstack.apache.org/host';
const AFFINITY_GROUP = 'topology.cloudstack.apache.org/affinity-group';

const FULL = {
  hypervisorName: 'kvm 7',
  affinityGroups: ['zulu', 'alpha (anti)'],
  tags: [
    { key: 'example.org/rack', value: 'Row 3/R7' },
    { key: 'team', value: 'shop' },
  ],
};

test('gives none unless they are chosen', () => {
  assert.deepEqual(labelsOf(FULL), { labels: {}, notices: [] });
});

test('gives host and affinity groups as valid values, the same whatever their order', () => {
  const options = { hostLabel: true, affinityGroupLabel: true };
  const expected = { [HOST]: 'kvm_7', [AFFINITY_GROUP]: 'alpha__anti.zulu' };
  assert.deepEqual(labelsOf(FULL, options).labels, expected);
  const turned = { ...FULL, affinityGroups: FULL.affinityGroups.toReversed() };
  assert.deepEqual(labelsOf(turned, options).labels, expected);
});

test('gives neither to those who do not see the host, or have no group', () => {
  assert.deepEqual(labelsOf({}, { hostLabel: true, affinityGroupLabel: true }).labels, {});
});

test('gives the tags whose key begins with an allowed prefix, with valid values', () => {
  assert.deepEqual(labelsOf(FULL, { tagLabelPrefixes: ['example.org/'] }).labels, { 'example.org/rack': 'Row_3_R7' });
  const all = labelsOf(FULL, { tagLabelPrefixes: ['example.org/', 'te'] }).labels;
  assert.deepEqual(all, { 'example.org/rack': 'Row_3_R7', team: 'shop' });
});

test('a tag without value is a label without value', () => {
  const tags = [{ key: 'spot', value: '' }];
  assert.deepEqual(labelsOf({ tags }, { tagLabelPrefixes: ['spot'] }).labels, { spot: '' });
});

test('tells of a tag that cannot be a label', () => {
  const tags = [
    { key: 'rack of mine', value: 'r1' },
    { key: 'rack', value: '東京' },
    { key: 'other key', value: 'x' },
  ];
  const { labels, notices } = labelsOf({ tags }, { tagLabelPrefixes: ['rack'] });
  assert.deepEqual(labels, {});
  assert.deepEqual(
    notices.map(({ reason }) => reason),
    ['TagNotALabel', 'TagNotALabel'],
  );
  assert.match(notices.map(({ message }) => message).join(), /"rack of mine"/);
});
