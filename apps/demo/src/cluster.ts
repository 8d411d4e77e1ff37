import { cached, ControlPlane, type ApiClient, type Assets } from '@cloudstack-ccm/control-plane';

/** The embedded Kubernetes API of the demo. */
export interface DemoCluster extends AsyncDisposable {
  /** What it is, in words for the reader. */
  readonly description: string;
  readonly client: ApiClient;
  /** A kubeconfig file for the controller, and for the reader's kubectl. */
  readonly kubeconfig: string;
  /** A kubectl that came with it; undefined if there is none. */
  readonly kubectl: string | undefined;
}

/** A real kube-apiserver, from programs that are already on this machine. */
export async function realCluster(assets: Assets): Promise<DemoCluster> {
  const plane = await ControlPlane.start({ assets });
  return {
    description: 'a real kube-apiserver and etcd',
    client: plane.client,
    kubeconfig: plane.kubeconfigFile(),
    kubectl: assets.kubectl,
    [Symbol.asyncDispose]: () => plane.stop(),
  };
}

/** The real kube-apiserver where one is at hand. */
export async function startCluster(): Promise<DemoCluster> {
  const assets = cached();
  if (!assets) throw new Error('no kube-apiserver is cached');
  return await realCluster(assets);
}
