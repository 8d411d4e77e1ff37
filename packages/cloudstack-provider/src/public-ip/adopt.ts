import type { ServiceView } from '@cloudstack-ccm/cloud-controllers';
import type { PublicIp } from '@cloudstack-ccm/cloudstack-client';
import { ANNOTATIONS, nameOf, type Settings } from '../load-balancer/annotations/annotations.ts';
import type { LeasewebOrigin } from '../load-balancer/observe/read.ts';
import { requestedAddress, type RequestedAddress } from '../load-balancer/annotations/wish.ts';
import { parseTime, type Holding } from './record.ts';

/** What is known of a Service whose addresses another controller dealt with before. */
export interface Predecessor {
  readonly settings: Settings;
  readonly annotations: Readonly<Record<string, string>>;
  readonly loadBalancerIp: string;
  readonly requested: RequestedAddress | undefined;
}

/** Takes an address over that carries rules of the load balancer, but of which we have no note. */
export function adopt(address: PublicIp, predecessor: Predecessor): Holding {
  return {
    state: 'held',
    id: address.id,
    address: address.ipAddress,
    origin: isTheirsToRelease(address, predecessor) ? 'controller' : 'user',
    allocated: parseTime(address.allocated),
  };
}

/**
 * Whether the controller before us had taken the address. The Go CCM notes that when the user asked for an address;
 * when nobody did, it was its own. The Leaseweb fork writes its own address where users ask for theirs.
 */
function isTheirsToRelease(
  address: PublicIp,
  { settings, annotations, loadBalancerIp, requested }: Predecessor,
): boolean {
  if (settings.ipAssociatedByController) return true;
  if (settings.leasewebAddressId === address.id) {
    return loadBalancerIp === '' && !wasApplied(annotations, nameOf(ANNOTATIONS.address));
  }
  return requested === undefined;
}

/** True if the user's own manifest, as kubectl remembers it, holds the annotation. */
function wasApplied(annotations: Readonly<Record<string, string>>, name: string): boolean {
  return annotations['kubectl.kubernetes.io/last-applied-configuration']?.includes(`"${name}"`) ?? false;
}

/** Where the rules are that the Leaseweb fork made, as long as we have not taken them over. */
export function leasewebOrigin(
  { namespace, name, annotations }: ServiceView,
  takenOver: boolean,
): LeasewebOrigin | undefined {
  const addressId = annotations[nameOf(ANNOTATIONS.leasewebAddressId)];
  return addressId === undefined || takenOver ? undefined : { addressId, namespace, name };
}

export function predecessorOf(service: ServiceView, settings: Settings): Predecessor {
  const { annotations, loadBalancerIp } = service;
  return { settings, annotations, loadBalancerIp, requested: requestedAddress(service, settings) };
}
