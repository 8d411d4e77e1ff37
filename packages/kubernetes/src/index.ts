export type { ClusterConfig } from './auth/cluster-config.ts';
export { inClusterConfig, type InClusterOptions } from './auth/in-cluster.ts';
export { loadKubeconfig, type LoadKubeconfigOptions } from './auth/load-kubeconfig.ts';
export type { PemSource } from './auth/pem-source.ts';
export { FileToken, fixedToken, type TokenSource } from './auth/token-source.ts';
export { Reader } from './decode.ts';
export {
  electionIdentity,
  LeaderElector,
  type ElectionClient,
  type ElectionState,
  type LeaderElectorOptions,
} from './election/leader-elector.ts';
export type { ElectionTimes } from './election/election-settings.ts';
export type { LeaseApi } from './election/lease-lock.ts';
export {
  ConnectionError,
  DecodeError,
  KubeconfigError,
  LeadershipLostError,
  StatusError,
  WatchStalledError,
  type StatusCause,
  type StatusDetails,
} from './errors.ts';
export { EventRecorder, type EventRecorderOptions } from './events/event-recorder.ts';
export { leaseNamed, leaseReference, nodeReference, serviceReference } from './events/references.ts';
export {
  Informer,
  type HandlerOptions,
  type HandlerRegistration,
  type InformerHandler,
  type InformerOptions,
} from './informer.ts';
export { KubernetesClient, type ClientLimits, type KubernetesClientOptions } from './kubernetes-client.ts';
export type {
  ListOptions,
  ListPage,
  ListPageOptions,
  ListWatch,
  ObjectList,
  Selection,
  WatchOptions,
} from './list-watch.ts';
export { Lister } from './lister.ts';
export { keyOf, keyOfName, splitKey } from './object-key.ts';
export type { EndpointSlice } from './objects/endpoint-slice.ts';
export type { Event, EventType, ObjectReference } from './objects/event.ts';
export { kind, type Kind } from './objects/kind.ts';
export type { Lease, LeaseSpec } from './objects/lease.ts';
export type { KubernetesObject, ObjectMeta, ObjectName } from './objects/metadata.ts';
export type { Node, NodeAddress, NodeCondition, Taint } from './objects/node.ts';
export type { ConfigMap, Namespace, Pod } from './objects/others.ts';
export type { SubjectAccessReviewSpec, SubjectAccessReviewStatus, TokenReviewStatus } from './objects/reviews.ts';
export type { Condition, LoadBalancerIngress, PortStatus, Service, ServicePort } from './objects/service.ts';
export {
  addressesPatch,
  annotationsPatch,
  finalizersPatch,
  labelsPatch,
  serviceStatusPatch,
  taintsPatch,
  type ServiceStatusChange,
} from './patch-bodies.ts';
export { jsonPatch, mergePatch, strategicPatch, type JsonPatchOperation, type Patch } from './patch.ts';
export { ResourceClient, type DeleteOptions, type PatchOptions } from './resource-client.ts';
export { retryOnConflict, type RetryOnConflictOptions } from './retry-on-conflict.ts';
export type { IndexFunction, Indexes } from './store.ts';
export type { WatchEvent } from './watch-event.ts';
export type { Place } from './worker-places.ts';
export { runWorkers, type WorkersOptions } from './workers.ts';
export { WorkQueue, type WorkQueueOptions } from './work-queue.ts';
