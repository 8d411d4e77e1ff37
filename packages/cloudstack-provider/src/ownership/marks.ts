import type { Tag } from '@cloudstack-ccm/cloudstack-client';

/** Whose an object is: one Service of one cluster. */
export interface OwnerIdentity {
  /** UID of the namespace `kube-system`, which tells clusters apart; undefined when it is not known. */
  readonly clusterUid: string | undefined;
  readonly serviceUid: string;
  /** `<namespace>/<name>`, for people. */
  readonly serviceName: string;
}

const CLUSTER = 'cloudstack-ccm/cluster';
const SERVICE_UID = 'cloudstack-ccm/service-uid';
const SERVICE = 'cloudstack-ccm/service';
const KEYS = new Set([CLUSTER, SERVICE_UID, SERVICE]);

/** The tags that mark an object as an owner's. */
export function marksOf(owner: OwnerIdentity): readonly Tag[] {
  return [
    ...(owner.clusterUid === undefined ? [] : [{ key: CLUSTER, value: owner.clusterUid }]),
    { key: SERVICE_UID, value: owner.serviceUid },
    { key: SERVICE, value: owner.serviceName },
  ];
}

/** What the tags of an object say about it. `others`: of another Service, here or in another cluster. */
export type Ownership = 'ours' | 'others' | 'unmarked';

export function ownershipOf(tags: readonly Tag[], owner: OwnerIdentity): Ownership {
  const uid = valueOf(tags, SERVICE_UID);
  if (uid === undefined) return 'unmarked';
  return uid.toLowerCase() === owner.serviceUid.toLowerCase() ? 'ours' : 'others';
}

/** True if the object was made for any Service of the owner's cluster. */
export function isOfCluster(tags: readonly Tag[], owner: OwnerIdentity): boolean {
  const cluster = valueOf(tags, CLUSTER);
  return cluster !== undefined && cluster.toLowerCase() === owner.clusterUid?.toLowerCase();
}

/** Our tags on an object, whatever they say: they must go before new ones can be set. */
export function anyMarks(tags: readonly Tag[]): readonly Tag[] {
  return tags.filter((tag) => KEYS.has(tag.key.toLowerCase()));
}

/** CloudStack compares keys without regard to case. */
function valueOf(tags: readonly Tag[], key: string): string | undefined {
  return tags.find((tag) => tag.key.toLowerCase() === key)?.value;
}

/** What a rule's description says: it is known by that when somebody has renamed it. */
export function describeOwner(owner: OwnerIdentity, loadBalancer: string): string {
  const cluster = owner.clusterUid === undefined ? '' : ` of cluster ${owner.clusterUid}`;
  return `Kubernetes Service ${owner.serviceName}${cluster}, load balancer ${loadBalancer}`;
}

/** True if a rule of that description was made for the load balancer, whatever its name is now. */
export function isDescribedAs(loadBalancer: string, description: string): boolean {
  return description.startsWith('Kubernetes Service ') && description.endsWith(`, load balancer ${loadBalancer}`);
}

/** What marks a network ACL item as a load balancer's: the form of the Go CCM. */
export function aclReason(loadBalancer: string): string {
  return `Managed by the CloudStack Kubernetes Provider for ${loadBalancer}`;
}
