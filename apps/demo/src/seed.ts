import type { ApiClient } from '@cloudstack-ccm/control-plane';

const PREFIX = 'service.beta.kubernetes.io/cloudstack-load-balancer-';

/** Registers a node as a kubelet with `--cloud-provider=external` does: tainted, and without a provider ID. */
export async function registerNode(client: ApiClient, name: string, address: string): Promise<void> {
  const taints = [{ key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' }];
  const annotations = { 'alpha.kubernetes.io/provided-node-ip': address };
  const labels = { 'kubernetes.io/hostname': name };
  await client.create('/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, annotations, labels },
    spec: { taints },
  });
  const conditions = [
    { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' },
  ];
  const addresses = [{ type: 'Hostname', address: name }];
  await client.patch(`/api/v1/nodes/${name}/status`, { status: { conditions, addresses } });
}

/** A web Service with two ports and an ingress Service whose backends read the PROXY protocol. */
export async function createServices(client: ApiClient): Promise<void> {
  await createService(client, 'web', {});
  await createService(client, 'ingress', { [`${PREFIX}proxy-protocol`]: 'true' });
}

async function createService(client: ApiClient, name: string, annotations: Record<string, string>): Promise<void> {
  const port = (portName: string, number: number): object => ({ name: portName, port: number, protocol: 'TCP' });
  await client.create('/api/v1/namespaces/default/services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'default', annotations },
    spec: { type: 'LoadBalancer', selector: { app: name }, ports: [port('http', 80), port('https', 443)] },
  });
}
