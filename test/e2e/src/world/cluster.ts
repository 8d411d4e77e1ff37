import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Secret } from '@cloudstack-ccm/base';
import {
  ApiClient,
  CertificateAuthority,
  ControlPlane,
  kubectl,
  serviceAccount,
  user,
} from '@cloudstack-ccm/control-plane';
import { startKubernetesSimulator } from '@cloudstack-ccm/kubernetes-simulator';

/** The Kubernetes API that a scenario runs against. */
export interface Cluster extends AsyncDisposable {
  readonly kind: ClusterKind;
  /** Asks as someone who may do everything. */
  readonly client: ApiClient;
  /** Path of the kubeconfig file that the controller gets: with the rights of `deployment.yaml` where there are rights. */
  readonly controllerKubeconfig: string;
  readonly adminToken: Secret;
  /** Breaks all connections, is away for a moment and comes back with the same objects; old watches expire. */
  restartApiServer(): Promise<void>;
  /** What must never be seen in any output. */
  readonly secrets: readonly string[];
}

export type ClusterKind = 'kube-apiserver' | 'kubernetes-simulator';

export const manifest = join(import.meta.dirname, '../../../../deployment.yaml');

export interface RealClusterOptions {
  /** A manifest whose RBAC objects give the controller its rights. Default: ours. */
  readonly rights?: string;
  readonly apiServerFlags?: readonly string[];
}

/** A real kube-apiserver where the controller has the rights of a manifest and no others. */
export async function realCluster(options: RealClusterOptions = {}): Promise<Cluster> {
  await using stack = new AsyncDisposableStack();
  const plane = stack.use(await ControlPlane.start({ apiServerFlags: options.apiServerFlags ?? [] }));
  await plane.kubectl(['apply', '-f', options.rights ?? manifest]);
  stack.move();
  return {
    kind: 'kube-apiserver',
    client: plane.client,
    controllerKubeconfig: plane.kubeconfigFile(plane.controller),
    adminToken: plane.admin.token,
    restartApiServer: () => plane.restartApiServer(),
    secrets: [plane.controller.token.reveal()],
    [Symbol.asyncDispose]: () => plane.stop(),
  };
}

/** The stand-in for a real one, with the same rights, certificates and taints on new nodes. */
async function simulatedCluster(): Promise<Cluster> {
  const authority = new CertificateAuthority('kubernetes-simulator');
  const [admin, controller] = [user('admin'), serviceAccount('kube-system', 'cloud-controller-manager')];
  const simulator = await startKubernetesSimulator({
    tls: { ...authority.server(['127.0.0.1']), authority: authority.certificate },
    tokens: {
      [admin.token.reveal()]: { user: admin.name, groups: ['system:masters'] },
      [controller.token.reveal()]: { user: controller.name, groups: controller.groups },
    },
    settings: { taintNewNodes: true },
  });
  const folder = mkdtempSync(join(tmpdir(), 'simulated-cluster-'));
  const end = async (): Promise<void> => {
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  };
  await using stack = new AsyncDisposableStack();
  stack.defer(end);
  const kubeconfig = (name: string): string => {
    const path = join(folder, name.replaceAll(':', '-'));
    writeFileSync(path, simulator.kubeconfig(name), { mode: 0o600 });
    return path;
  };
  await kubectl(['apply', '-f', manifest], { kubeconfig: kubeconfig(admin.name) });
  stack.move();
  return {
    kind: 'kubernetes-simulator',
    client: new ApiClient({ url: simulator.url, ca: authority.certificate, token: admin.token }),
    controllerKubeconfig: kubeconfig(controller.name),
    adminToken: admin.token,
    restartApiServer: () => simulator.restart({ downMs: 1000 }),
    secrets: [controller.token.reveal()],
    [Symbol.asyncDispose]: end,
  };
}

export const clusterKinds: readonly ClusterKind[] = ['kube-apiserver', 'kubernetes-simulator'];

export function startCluster(kind: ClusterKind): Promise<Cluster> {
  switch (kind) {
    case 'kube-apiserver':
      return realCluster();
    case 'kubernetes-simulator':
      return simulatedCluster();
    default:
      return kind satisfies never;
  }
}
