export {
  ConnectionError,
  DecodeError,
  KubeconfigError,
  LeadershipLostError,
  StatusError,
  type StatusCause,
  type StatusDetails,
} from './errors.ts';
export type { Endpoint, EndpointSlice } from './objects/endpoint-slice.ts';
export type { Event, EventType, ObjectReference } from './objects/event.ts';
export type { Lease, LeaseSpec } from './objects/lease.ts';
export type { KubernetesObject, ObjectMeta, ObjectName } from './objects/metadata.ts';
export type { Node, NodeAddress, NodeCondition, Taint } from './objects/node.ts';
export type { ConfigMap, Namespace, Pod } from './objects/others.ts';
export type { SubjectAccessReviewSpec, SubjectAccessReviewStatus, TokenReviewStatus } from './objects/reviews.ts';
export type { LoadBalancerIngress, PortStatus, Service, ServicePort } from './objects/service.ts';
export { runWorkers, type WorkersOptions } from './workers.ts';
export { WorkQueue, type WorkQueueOptions } from './work-queue.ts';
