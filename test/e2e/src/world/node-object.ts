/* Nodes as kubelets register them: about 19 KB each, so that what is stored, sent and kept weighs what it weighs. */

export type Readiness = boolean | 'Unknown';

export interface NodeOptions {
  readonly name: string;
  /** Default true: the kubelet runs with `--cloud-provider=external`. */
  readonly uninitialized?: boolean;
  /** Default true. `Unknown` is what the node controller writes when the kubelet is silent. */
  readonly ready?: Readiness;
  readonly providerId?: string;
  /** Keys of further taints, with effect NoSchedule. */
  readonly taints?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

const UNINITIALIZED = {
  key: 'node.cloudprovider.kubernetes.io/uninitialized',
  value: 'true',
  effect: 'NoSchedule',
};

/** What a kubelet sends to register. The status goes separately. */
export function nodeObject({
  name,
  uninitialized = true,
  providerId,
  taints = [],
  labels = {},
  annotations = {},
}: NodeOptions): object {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        ...labels,
      },
      annotations: {
        'node.alpha.kubernetes.io/ttl': '0',
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
        ...annotations,
      },
    },
    spec: {
      ...(providerId === undefined ? {} : { providerID: providerId }),
      taints: [...(uninitialized ? [UNINITIALIZED] : []), ...taints.map((key) => ({ key, effect: 'NoSchedule' }))],
    },
  };
}

/** The status that the kubelet reports. */
export function nodeStatus({ name, ready = true }: NodeOptions): object {
  const resources = { cpu: '4', memory: '8145316Ki', pods: '110', 'ephemeral-storage': '81106868Ki' };
  return {
    addresses: [{ type: 'Hostname', address: name }],
    capacity: resources,
    allocatable: resources,
    conditions: conditions(ready),
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    images: Array.from({ length: 50 }, (_, index) => image(index)),
    nodeInfo: {
      architecture: 'amd64',
      bootID: '0f4b0c1e-7f0a-4f7b-9d38-5f3a5f0f8f11',
      containerRuntimeVersion: 'containerd://2.1.4',
      kernelVersion: '6.12.43+deb13-amd64',
      kubeProxyVersion: '',
      kubeletVersion: 'v1.36.3',
      machineID: '5f3a5f0f8f110f4b0c1e7f0a4f7b9d38',
      operatingSystem: 'linux',
      osImage: 'Debian GNU/Linux 13 (trixie)',
      systemUUID: '0f4b0c1e-7f0a-4f7b-9d38-5f3a5f0f8f12',
    },
  };
}

function conditions(ready: Readiness): readonly object[] {
  const time = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const condition = ([type, status, reason]: Condition): object => ({
    type,
    status,
    reason,
    message: `kubelet reports ${reason}`,
    lastHeartbeatTime: time,
    lastTransitionTime: time,
  });
  return [
    condition(['MemoryPressure', 'False', 'KubeletHasSufficientMemory']),
    condition(['DiskPressure', 'False', 'KubeletHasNoDiskPressure']),
    condition(['PIDPressure', 'False', 'KubeletHasSufficientPID']),
    condition(readyCondition(ready)),
  ];
}

type Condition = readonly [type: string, status: string, reason: string];

function readyCondition(ready: Readiness): Condition {
  if (ready === 'Unknown') return ['Ready', 'Unknown', 'NodeStatusUnknown'];
  return ready ? ['Ready', 'True', 'KubeletReady'] : ['Ready', 'False', 'KubeletNotReady'];
}

/** Each image is named by digest and by tag, as containerd lists them. */
function image(index: number): object {
  const digest = (index * 0x9e37_79b9).toString(16).padStart(16, '0').slice(-16).repeat(4);
  const name = `registry.example.org/platform/long-lived/observability-and-delivery/component-${String(index).padStart(3, '0')}`;
  return { names: [`${name}@sha256:${digest}`, `${name}:v1.${index}.0`], sizeBytes: 12_345_678 + index };
}
