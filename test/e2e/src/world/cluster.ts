import { join } from 'node:path';
import type { Secret } from '@cloudstack-ccm/base';
import { type ApiClient, ControlPlane } from '@cloudstack-ccm/control-plane';

/** The Kubernetes API that a scenario runs against. */
export interface Cluster extends AsyncDisposable {
  readonly kind: ClusterKind;
  /** Asks as someone who may do everything. */
  readonly client: ApiClient;
  /** Path of the kubeconfig file that the controller gets: with the rights of `deployment.yaml` where there are rights. */
  readonly controllerKubeconfig: string;
  readonly adminToken: Secret;
  /** What must never be seen in any output. */
  readonly secrets: readonly string[];
}

export type ClusterKind = 'kube-apiserver';

export const manifest = join(import.meta.dirname, '../../../../deployment.yaml');

export interface RealClusterOptions {
  /** A manifest whose RBAC objects give the controller its rights. Default: ours. */
  readonly rights?: string;
  readonly apiServerFlags?: readonly string[];
}

/** A real kube-apiserver where the controller has the rights of a manifest and no others. */
export async function realCluster(options: RealClusterOptions = {}): Promise<Cluster> {
  const plane = await ControlPlane.start({ apiServerFlags: options.apiServerFlags ?? [] });
  await plane.kubectl(['apply', '-f', options.rights ?? manifest]);
  return {
    kind: 'kube-apiserver',
    client: plane.client,
    controllerKubeconfig: plane.kubeconfigFile(plane.controller),
    adminToken: plane.admin.token,
    secrets: [plane.controller.token.reveal()],
    [Symbol.asyncDispose]: () => plane.stop(),
  };
}

export const clusterKinds: readonly ClusterKind[] = ['kube-apiserver'];

export function startCluster(kind: ClusterKind): Promise<Cluster> {
  switch (kind) {
    case 'kube-apiserver':
      return realCluster();
    default:
      return kind satisfies never;
  }
}
