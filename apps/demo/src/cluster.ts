import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient, cached, ControlPlane, findKubectl, type Assets } from '@cloudstack-ccm/control-plane';
import { startKubernetesSimulator } from '@cloudstack-ccm/kubernetes-simulator';

/** The embedded Kubernetes API of the demo. */
export interface DemoCluster extends AsyncDisposable {
  /** What it is, in words for the reader. */
  readonly description: string;
  readonly client: ApiClient;
  /** A kubeconfig file for the controller, and for the reader's kubectl. */
  readonly kubeconfig: string;
  /** A kubectl that came with it or is in the PATH; undefined if there is none. */
  readonly kubectl: string | undefined;
}

/** A real kube-apiserver if one is on this machine already; building one would take minutes, so otherwise a stand-in. */
export function startCluster(): Promise<DemoCluster> {
  const assets = cached();
  return assets ? realCluster(assets) : simulatedCluster();
}

async function realCluster(assets: Assets): Promise<DemoCluster> {
  const plane = await ControlPlane.start({ assets });
  return {
    description: 'a real kube-apiserver and etcd',
    client: plane.client,
    kubeconfig: plane.kubeconfigFile(),
    kubectl: assets.kubectl ?? findKubectl(),
    [Symbol.asyncDispose]: () => plane.stop(),
  };
}

async function simulatedCluster(): Promise<DemoCluster> {
  const simulator = await startKubernetesSimulator();
  const folder = mkdtempSync(join(tmpdir(), 'cloudstack-ccm-cluster-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, simulator.kubeconfig(), { mode: 0o600 });
  return {
    description: 'an in-process stand-in (`make control-plane` builds the real kube-apiserver, which is then used)',
    client: new ApiClient({ url: simulator.url }),
    kubeconfig,
    kubectl: findKubectl(),
    [Symbol.asyncDispose]: async () => {
      await simulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
