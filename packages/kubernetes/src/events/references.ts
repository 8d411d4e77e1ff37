import type { ObjectReference } from '../objects/event.ts';
import type { Kind } from '../objects/kind.ts';
import { type Lease, LEASES } from '../objects/lease.ts';
import type { KubernetesObject } from '../objects/metadata.ts';
import { type Node, NODES } from '../objects/node.ts';
import { type Service, SERVICES } from '../objects/service.ts';

/** What an Event about a Node refers to. */
export function nodeReference(node: Node): ObjectReference {
  return referenceTo(NODES, node);
}

/** What an Event about a Service refers to. */
export function serviceReference(service: Service): ObjectReference {
  return referenceTo(SERVICES, service);
}

/** What an Event about a Lease refers to. */
export function leaseReference(lease: Lease): ObjectReference {
  return referenceTo(LEASES, lease);
}

/** What an Event about a Lease refers to that was not read and need not exist. */
export function leaseNamed(namespace: string, name: string): ObjectReference {
  const { apiVersion, kind } = LEASES;
  return { apiVersion, kind, namespace, name, uid: '', resourceVersion: '' };
}

function referenceTo<T extends KubernetesObject>(
  { apiVersion, kind }: Kind<T>,
  { metadata: { namespace, name, uid, resourceVersion } }: T,
): ObjectReference {
  return { apiVersion, kind, namespace, name, uid, resourceVersion };
}
