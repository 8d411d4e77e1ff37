export interface RealisticNode {
  readonly metadata: { readonly name: string; readonly labels: object; readonly annotations: object };
  readonly spec: object;
  readonly status: object;
}

/**
 * A Node as a kubelet on a busy machine reports it: about 19 KB of JSON, most of it the list of images and the record
 * of managed fields, none of which a cloud controller reads.
 */
export function realisticNode(index: number, instanceId: string): RealisticNode {
  const name = `node-${index}`;
  return {
    metadata: { name, labels: labels(name), annotations: annotations(index) },
    spec: { podCIDR: podCidr(index), podCIDRs: [podCidr(index)], providerID: `external-cloudstack://${instanceId}` },
    status: {
      capacity: resources('32', '131915488Ki'),
      allocatable: resources('31', '128769760Ki'),
      conditions: CONDITIONS.map(condition),
      addresses: [
        { type: 'InternalIP', address: address(index) },
        { type: 'Hostname', address: name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      nodeInfo: nodeInfo(index),
      images: Array.from({ length: 50 }, (_, image) => containerImage(image)),
    },
  };
}

/** The address of the machine behind node `index`, unique for up to 65,000 of them. */
export function address(index: number): string {
  return `10.1.${Math.floor(index / 250)}.${(index % 250) + 2}`;
}

const CONDITIONS = [
  ['NetworkUnavailable', 'False', 'CalicoIsUp', 'Calico is running on this node'],
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
] as const;

function condition([type, status, reason, message]: readonly [string, string, string, string]): object {
  const time = '2026-01-01T00:00:00Z';
  return { type, status, reason, message, lastHeartbeatTime: time, lastTransitionTime: time };
}

function labels(name: string): object {
  return {
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/instance-type': '4C8G',
    'beta.kubernetes.io/os': 'linux',
    'failure-domain.beta.kubernetes.io/region': 'zone-a',
    'failure-domain.beta.kubernetes.io/zone': 'zone-a',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    'node-role.kubernetes.io/worker': '',
    'node.kubernetes.io/instance-type': '4C8G',
    'topology.kubernetes.io/region': 'zone-a',
    'topology.kubernetes.io/zone': 'zone-a',
  };
}

function annotations(index: number): object {
  return {
    'csi.volume.kubernetes.io/nodeid': `{"csi.cloudstack.apache.org":"node-${index}","driver.example.org":"node-${index}"}`,
    'kubeadm.alpha.kubernetes.io/cri-socket': 'unix:///run/containerd/containerd.sock',
    'node.alpha.kubernetes.io/ttl': '0',
    'projectcalico.org/IPv4Address': `${address(index)}/16`,
    'projectcalico.org/IPv4IPIPTunnelAddr': `172.${16 + (index % 15)}.${index % 250}.64`,
    'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
  };
}

function podCidr(index: number): string {
  return `172.${16 + Math.floor(index / 250)}.${index % 250}.0/24`;
}

function resources(cpu: string, memory: string): object {
  return { cpu, memory, 'ephemeral-storage': '101430960Ki', 'hugepages-1Gi': '0', 'hugepages-2Mi': '0', pods: '250' };
}

function nodeInfo(index: number): object {
  const id = String(index).padStart(12, '0');
  return {
    architecture: 'amd64',
    bootID: `6e0d3b1c-0000-4000-8000-${id}`,
    containerRuntimeVersion: 'containerd://2.1.4',
    kernelVersion: '6.12.41-amd64',
    kubeProxyVersion: 'v1.36.3',
    kubeletVersion: 'v1.36.3',
    machineID: `${id}${id}00000000`,
    operatingSystem: 'linux',
    osImage: 'Debian GNU/Linux 13 (trixie)',
    systemUUID: `0d3b1c6e-0000-4000-8000-${id}`,
  };
}

function containerImage(image: number): object {
  const repository = `registry.example.org/platform/team-${image % 7}/component-with-a-long-name-${image}`;
  const digest = String(image).padStart(4, '0').repeat(16);
  return {
    names: [`${repository}@sha256:${digest}`, `${repository}:v1.${image}.0-build.20260101`],
    sizeBytes: 1e8 + image,
  };
}
