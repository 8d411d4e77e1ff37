import type { ApiClient } from '@cloudstack-ccm/control-plane';
import type { AddressRow, NodeRow, Picture, RuleRow, ServiceRow } from './picture.ts';
import type { CloudScene } from './scene.ts';

const SHOWN_ACTIONS = 12;
const UNINITIALIZED = 'node.cloudprovider.kubernetes.io/uninitialized';

/* Only the fields that are shown; the API server is trusted to be one here. */
interface Node {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: { readonly providerID?: string; readonly taints?: readonly { readonly key: string }[] };
  readonly status?: { readonly addresses?: readonly { readonly type: string; readonly address: string }[] };
}

interface Service {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly type?: string;
    readonly ports?: readonly { readonly port: number; readonly protocol: string }[];
  };
  readonly status?: {
    readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] };
  };
}

/** Looks at both clouds and gives what is there as plain values. */
export async function look(client: ApiClient, cloud: CloudScene): Promise<Picture> {
  const nodes = await list<Node>(client, '/api/v1/nodes');
  const services = await list<Service>(client, '/api/v1/services');
  return {
    nodes: nodes.map(nodeRow),
    services: services.filter(({ spec }) => spec.type === 'LoadBalancer').map(serviceRow),
    addresses: addressRows(cloud),
    rules: ruleRows(cloud),
    actions: cloud
      .actions()
      .slice(-SHOWN_ACTIONS)
      .map(({ time, text }) => `${new Date(time).toISOString().slice(11, 19)}  ${text}`),
  };
}

async function list<T>(client: ApiClient, path: string): Promise<readonly T[]> {
  const answer = (await client.get(path)) as { readonly items: readonly T[] };
  return answer.items;
}

function nodeRow({ metadata, spec, status }: Node): NodeRow {
  return {
    name: metadata.name,
    initialised: !spec.taints?.some(({ key }) => key === UNINITIALIZED),
    providerId: spec.providerID ?? '',
    internalIp: status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '',
    instanceType: metadata.labels?.['node.kubernetes.io/instance-type'] ?? '',
    zone: metadata.labels?.['topology.kubernetes.io/zone'] ?? '',
  };
}

function serviceRow({ metadata, spec, status }: Service): ServiceRow {
  const [ingress] = status?.loadBalancer?.ingress ?? [];
  return {
    name: `${metadata.namespace}/${metadata.name}`,
    ports: (spec.ports ?? []).map(({ port, protocol }) => `${port}/${protocol}`).join(','),
    external: ingress?.hostname ?? ingress?.ip ?? '',
  };
}

function addressRows({ simulator: { state } }: CloudScene): readonly AddressRow[] {
  return state.publicIps
    .filter((address) => address.state !== 'Free')
    .map((address) => ({
      address: address.address,
      state: address.state,
      purpose: address.isSourceNat ? 'source NAT of the network' : 'load balancer',
    }));
}

function ruleRows({ simulator: { state } }: CloudScene): readonly RuleRow[] {
  const openings = state.firewallRules.filter(() => true);
  return state.loadBalancerRules
    .filter(() => true)
    .map((rule) => {
      const opened = openings.filter((one) => one.publicIpId === rule.publicIpId && one.startPort === rule.publicPort);
      return {
        name: rule.name,
        frontend: `${state.publicIps.get(rule.publicIpId)?.address ?? ''}:${rule.publicPort}/${rule.protocol ?? 'tcp'}`,
        nodePort: String(rule.privatePort),
        members: rule.members
          .filter(({ revoked }) => !revoked)
          .map(({ virtualMachineId }) => state.virtualMachines.get(virtualMachineId)?.name ?? virtualMachineId),
        allowed: opened.flatMap(({ cidrs }) => cidrs).join(','),
        state: rule.members.length > 0 ? 'Active' : 'Add',
      };
    });
}
