/** On a node until the cloud controller manager has initialised it. */
export const UNINITIALIZED_TAINT = 'node.cloudprovider.kubernetes.io/uninitialized';

/** On a node whose machine is shut down. */
export const SHUTDOWN_TAINT = { key: 'node.cloudprovider.kubernetes.io/shutdown', effect: 'NoSchedule' } as const;

/** Set by the cluster autoscaler on a node that it is about to remove. */
export const AUTOSCALER_TAINT = 'ToBeDeletedByClusterAutoscaler';

/** Keeps a node out of load balancers, unless its value is a Go-boolean false. */
export const EXCLUDE_LABEL = 'node.kubernetes.io/exclude-from-external-load-balancers';

/** The addresses the kubelet was told to use: one, or one of each family, separated by a comma. */
export const PROVIDED_NODE_IP = 'alpha.kubernetes.io/provided-node-ip';

interface LabelPair {
  /** The name of before Kubernetes 1.17, which many node selectors still use. */
  readonly beta: string;
  readonly stable: string;
}

export const INSTANCE_TYPE: LabelPair = {
  beta: 'beta.kubernetes.io/instance-type',
  stable: 'node.kubernetes.io/instance-type',
};
export const ZONE: LabelPair = {
  beta: 'failure-domain.beta.kubernetes.io/zone',
  stable: 'topology.kubernetes.io/zone',
};
export const REGION: LabelPair = {
  beta: 'failure-domain.beta.kubernetes.io/region',
  stable: 'topology.kubernetes.io/region',
};

export const LABEL_PAIRS: readonly LabelPair[] = [ZONE, REGION, INSTANCE_TYPE];
