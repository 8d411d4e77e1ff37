import type { KubernetesObject } from './metadata.ts';

export interface Pod extends KubernetesObject {
  readonly spec: { readonly nodeName: string };
}

export interface ConfigMap extends KubernetesObject {
  readonly data: Readonly<Record<string, string>>;
}

export type Namespace = KubernetesObject;
