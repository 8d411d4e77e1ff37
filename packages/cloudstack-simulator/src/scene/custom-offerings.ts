import type { Backend } from '../operations/backend.ts';
import type { NetworkOffering, Service, VpcOffering } from '../state.ts';
import type { NetworkOfferingSpec, VpcOfferingSpec } from './specs.ts';

/** An offering that an administrator made. */
export function addNetworkOffering({ state, random, clock }: Backend, spec: NetworkOfferingSpec): NetworkOffering {
  const { id = random.uuid(), name, guestType = 'Isolated', forVpc = false, conserveMode = true } = spec;
  const { provider = forVpc ? 'VpcVirtualRouter' : 'VirtualRouter', routed = false } = spec;
  return state.networkOfferings.add({
    id,
    name,
    displaytext: name,
    guestType,
    state: 'Enabled',
    availability: 'Optional',
    isDefault: false,
    conserveMode,
    forVpc,
    specifyIpRanges: guestType === 'Shared',
    specifyVlan: guestType === 'Shared',
    egressDefaultPolicy: false,
    services: servicesOf(spec.services, provider),
    routed,
    created: clock.now(),
  });
}

/** A VPC offering; from 4.23 on it may have the Firewall service, and be in conserve mode. */
export function addVpcOffering({ state, random, clock }: Backend, spec: VpcOfferingSpec): VpcOffering {
  const { id = random.uuid(), name, conserveMode = false } = spec;
  return state.vpcOfferings.add({
    id,
    name,
    displaytext: name,
    isDefault: false,
    state: 'Enabled',
    services: servicesOf(spec.services, 'VpcVirtualRouter'),
    conserveMode,
    created: clock.now(),
  });
}

function servicesOf(names: readonly string[], provider: string): Service[] {
  return names.map((name) => ({ name, providers: [provider] }));
}
