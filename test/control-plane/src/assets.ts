import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';

/** Where the programs of a control plane are. */
export interface Assets {
  readonly etcd: string;
  readonly kubeApiserver: string;
  /** kubectl of the same version, if the folder holds one. */
  readonly kubectl: string | undefined;
  /** Where they come from: the folder that `KUBEBUILDER_ASSETS` names, or our own build. */
  readonly origin: 'given' | 'built';
}

/** The programs in a folder, or the names of those that are missing. */
export function assetsIn(folder: string, origin: Assets['origin']): Assets | readonly string[] {
  const missing = ['etcd', 'kube-apiserver'].filter((name) => !executable(join(folder, name)));
  if (missing.length > 0) return missing;
  const kubectl = join(folder, 'kubectl');
  return {
    etcd: join(folder, 'etcd'),
    kubeApiserver: join(folder, 'kube-apiserver'),
    kubectl: executable(kubectl) ? kubectl : undefined,
    origin,
  };
}

/** True if the path is a file that this user may run. */
export function executable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
