import type { JsonObject } from '../../../json.ts';
import { get, MERGE, patch, post, put, remove, type Scenario, STRATEGIC } from '../scenario.ts';

const NODES = '/api/v1/nodes';
const READY: JsonObject = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is ready' };

export const nodeScenarios: readonly Scenario[] = [
  {
    name: 'nodes are made, and refused when they break a rule',
    steps: [
      post(NODES, { metadata: { name: 'c-plain' } }),
      post(NODES, {
        metadata: { name: 'c-full', labels: { a: 'b' } },
        spec: {
          podCIDR: '10.0.0.0/24',
          providerID: 'external-cloudstack://a',
          unschedulable: true,
          taints: [{ key: 'k', effect: 'NoSchedule' }],
        },
        status: {
          addresses: [{ type: 'InternalIP', address: '192.0.2.1' }],
          capacity: { cpu: '4000m', memory: '1024Ki' },
          conditions: [READY],
        },
      }),
      post(NODES, {
        metadata: { name: 'N_1' },
        spec: {
          podCIDR: '10.0.0.0',
          taints: [
            { key: 'a' },
            { key: '-b', value: '_c', effect: 'Foo' },
            { key: 'x', effect: 'NoSchedule' },
            { key: 'x', effect: 'NoSchedule', value: 'v' },
          ],
        },
      }),
      post(NODES, { metadata: { name: 'c-plain' } }),
      post(NODES, { metadata: {} }),
      post(NODES, { metadata: { name: 'c-quantity' }, status: { capacity: { cpu: 'abc' } } }),
    ],
  },
  {
    name: 'nodes are initialised as a cloud controller does it',
    steps: [
      post(
        NODES,
        {
          metadata: { name: 'c-init' },
          spec: {
            taints: [{ key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' }],
          },
        },
        { name: 'made' },
      ),
      patch(`${NODES}/c-init`, MERGE, {
        metadata: {
          resourceVersion: '{{made.metadata.resourceVersion}}',
          labels: { 'node.kubernetes.io/instance-type': 'small' },
        },
        spec: { providerID: 'external-cloudstack://a', taints: [] },
      }),
      patch(`${NODES}/c-init`, MERGE, {
        metadata: { resourceVersion: '{{made.metadata.resourceVersion}}' },
        spec: { taints: null },
      }),
      patch(`${NODES}/c-init/status`, STRATEGIC, {
        status: {
          addresses: [
            { type: 'InternalIP', address: '192.0.2.1' },
            { type: 'Hostname', address: 'c-init' },
          ],
        },
      }),
      patch(`${NODES}/c-init/status`, STRATEGIC, {
        status: { addresses: [{ type: 'InternalIP', address: '192.0.2.2' }, { $patch: 'replace' }] },
      }),
      patch(`${NODES}/c-init/status`, STRATEGIC, { status: { conditions: [READY] } }),
      patch(`${NODES}/c-init/status`, STRATEGIC, {
        status: {
          conditions: [
            { type: 'Ready', status: 'False' },
            { type: 'DiskPressure', status: 'False' },
          ],
        },
      }),
      patch(`${NODES}/c-init`, MERGE, { spec: { providerID: 'external-cloudstack://b' } }),
      patch(`${NODES}/c-init`, STRATEGIC, {
        metadata: { labels: { 'node.kubernetes.io/instance-type': null, 'topology.kubernetes.io/zone': 'z' } },
      }),
      patch(`${NODES}/c-init`, STRATEGIC, {
        spec: { taints: [{ key: 'node.cloudprovider.kubernetes.io/shutdown', effect: 'NoSchedule' }] },
      }),
      patch(`${NODES}/c-init/status`, MERGE, {
        status: {
          addresses: [
            { type: 'InternalIP', address: '192.0.2.5' },
            { type: 'InternalIP', address: '192.0.2.5' },
          ],
        },
      }),
      patch(`${NODES}/c-init/status`, MERGE, {
        status: {
          addresses: [
            { type: 'InternalIP', address: '192.0.2.5' },
            { type: 'InternalIP', address: '192.0.2.6' },
          ],
        },
      }),
      patch(`${NODES}/c-init/status`, STRATEGIC, {
        status: {
          addresses: [
            { type: 'InternalIP', address: '192.0.2.7' },
            { type: 'Hostname', address: 'c' },
          ],
        },
      }),
      patch(`${NODES}/c-init/status`, MERGE, {}),
      get(`${NODES}/c-init/status`),
    ],
  },
  {
    name: 'nodes keep what may not change',
    steps: [
      post(NODES, { metadata: { name: 'c-keep' }, spec: { podCIDR: '10.0.7.0/24' } }, { name: 'kept' }),
      patch(`${NODES}/c-keep`, MERGE, { spec: { podCIDR: '10.0.8.0/24', podCIDRs: ['10.0.8.0/24'] } }),
      patch(`${NODES}/c-keep`, MERGE, { metadata: { resourceVersion: '1' }, spec: { taints: [] } }),
      patch(`${NODES}/c-keep`, MERGE, { metadata: { uid: '1' } }),
      patch(`${NODES}/c-keep`, MERGE, { metadata: { name: 'other' } }),
      patch(`${NODES}/c-keep`, MERGE, { metadata: { namespace: 'other' } }),
      patch(`${NODES}/c-keep`, MERGE, { metadata: { deletionTimestamp: '2020-01-01T00:00:00Z' } }),
      patch(`${NODES}/c-keep`, MERGE, { metadata: { generation: 5, creationTimestamp: null } }),
      put(`${NODES}/c-keep`, {
        metadata: { name: 'c-keep', resourceVersion: '{{kept.metadata.resourceVersion}}' },
        spec: { unschedulable: true },
      }),
      put(`${NODES}/c-keep`, { metadata: { name: 'c-keep' }, spec: { podCIDR: '10.0.7.0/24', unschedulable: true } }),
      put(`${NODES}/c-none`, { metadata: { name: 'c-none' } }),
      remove(`${NODES}/c-keep`),
      remove(`${NODES}/c-keep`),
    ],
  },
];
