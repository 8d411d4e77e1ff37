import { kind } from './kind.ts';
import type { KubernetesObject } from './metadata.ts';

export interface Pod extends KubernetesObject {
  readonly spec: { readonly nodeName: string };
}

export interface ConfigMap extends KubernetesObject {
  readonly data: Readonly<Record<string, string>>;
}

export type Namespace = KubernetesObject;

export const PODS = kind<Pod>({ apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true }, (pod, metadata) => ({
  metadata,
  spec: { nodeName: pod.object('spec').string('nodeName') },
}));

export const CONFIG_MAPS = kind<ConfigMap>(
  { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true },
  (configMap, metadata) => ({ metadata, data: configMap.stringMap('data') }),
);

export const NAMESPACES = kind<Namespace>(
  { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false },
  (_namespace, metadata) => ({ metadata }),
);
