import { checkAccess, inDomain } from '../access.ts';
import { invalidValue } from '../api-error.ts';
import { isRoot, type Call } from '../call.ts';
import { sameText } from '../collation.ts';
import { list, sync } from '../command.ts';
import { formatDate } from '../date.ts';
import type { JsonObject } from '../json.ts';
import { like } from '../paging.ts';
import { PAGE, type MapEntry } from '../parameter.ts';
import type { NetworkOffering, Service } from '../state.ts';
import { supports } from '../version-profile.ts';
import { showOfferedService } from '../views/service.ts';

function showNetworkOffering(offering: NetworkOffering, call: Call): JsonObject {
  const since20 = supports(call.profile, '4.20');
  const providers = new Set(offering.services.flatMap((service) => service.providers));
  return {
    id: offering.id,
    name: offering.name,
    displaytext: offering.displaytext,
    created: formatDate(offering.created),
    traffictype: 'Guest',
    isdefault: offering.isDefault,
    specifyvlan: offering.specifyVlan,
    conservemode: offering.conserveMode,
    specifyipranges: offering.specifyIpRanges,
    availability: offering.availability,
    networkrate: 200,
    state: offering.state,
    guestiptype: offering.guestType,
    serviceofferingid: call.state.serviceOfferings.find((one) => one.isSystem === true)?.id,
    service: offering.services.map(showOfferedService),
    forvpc: offering.forVpc,
    fornsx: since20 ? providers.has('Nsx') : undefined,
    fortungsten: supports(call.profile, '4.18') ? providers.has('Tungsten') : undefined,
    ispersistent: false,
    egressdefaultpolicy: offering.egressDefaultPolicy,
    supportsstrechedl2subnet: false,
    supportspublicaccess: false,
    supportsinternallb: providers.has('InternalLbVm'),
    internetprotocol: supports(call.profile, '4.17') ? 'IPv4' : undefined,
    hasannotations: supports(call.profile, '4.16') ? false : undefined,
  };
}

/** `serviceproviderlist[i].service` and `.provider`; a service without one is the router's. */
function readServices(
  names: readonly string[],
  providers: readonly MapEntry[] | undefined,
  forVpc: boolean,
): Service[] {
  const standard = forVpc ? 'VpcVirtualRouter' : 'VirtualRouter';
  return names.map((name) => {
    const own = (providers ?? []).filter((entry) => entry['service']?.toLowerCase() === name.toLowerCase());
    const chosen = own.flatMap((entry) => (entry['provider'] === undefined ? [] : [entry['provider']]));
    return { name, providers: chosen.length > 0 ? chosen : [standard] };
  });
}

/** The offerings that a network can be moved to: others of its own kind, for VPC tiers those of VPC tiers. */
function movableTo(call: Call, networkId: string | undefined): (offering: NetworkOffering) => boolean {
  if (networkId === undefined) return () => true;
  const network = call.state.networks.get(networkId);
  if (!network || network.removed !== undefined) throw invalidValue('Unable to find the network by id');
  checkAccess(call, network.accountId);
  const current = call.state.networkOfferings.get(network.offeringId);
  return (offering) =>
    offering.id !== current?.id &&
    offering.state === 'Enabled' &&
    offering.guestType === current?.guestType &&
    offering.forVpc === current.forVpc &&
    offering.specifyVlan === current.specifyVlan;
}

/** No offering here is kept for a domain, so that a domain the caller may see has them all. */
function checkDomain(call: Call, domainId: string | undefined): void {
  if (domainId === undefined) return;
  const domain = call.state.domains.get(domainId);
  if (!domain) throw invalidValue(`Unable to find the domain by id=${domainId}`);
  if (inDomain(call.state, domainId, call.caller.domain.id)) return;
  throw invalidValue(
    `Unable to list network offerings for domain: ${domain.name} as caller does not have access for it`,
  );
}

const GUEST_TYPES = ['Isolated', 'Shared', 'L2'] as const;

export const networkOfferingCommands = [
  list({
    name: 'listNetworkOfferings',
    description: 'Lists all available network offerings.',
    item: 'networkoffering',
    parameters: {
      ...PAGE,
      id: { type: 'uuid', of: 'network-offering' },
      name: { type: 'string' },
      displaytext: { type: 'string' },
      traffictype: { type: 'string' },
      isdefault: { type: 'boolean' },
      specifyvlan: { type: 'boolean' },
      availability: { type: 'string' },
      state: { type: 'string' },
      guestiptype: { type: 'string' },
      supportedservices: { type: 'list' },
      forvpc: { type: 'boolean' },
      networkid: { type: 'uuid', of: 'network' },
      // Only checked: no offering here is kept for a zone.
      zoneid: { type: 'uuid', of: 'zone' },
      domainid: { type: 'uuid', of: 'domain' },
    },
    select: (call, values) => {
      checkDomain(call, values.domainid);
      const movable = movableTo(call, values.networkid);
      const { id, name, keyword, state, guestiptype, forvpc, availability, isdefault } = values;
      const same = (wanted: string | undefined, actual: string): boolean =>
        wanted === undefined || wanted.toLowerCase() === actual.toLowerCase();
      return call.state.networkOfferings.filter(
        (offering) =>
          (id === undefined || offering.id === id) &&
          (name === undefined || sameText(offering.name, name)) &&
          (keyword === undefined || like(offering.name, keyword) || like(offering.displaytext, keyword)) &&
          (isdefault === undefined || offering.isDefault === isdefault) &&
          (forvpc === undefined || offering.forVpc === forvpc) &&
          movable(offering) &&
          same(state, offering.state) &&
          same(guestiptype, offering.guestType) &&
          same(availability, offering.availability) &&
          (offering.state === 'Enabled' || isRoot(call)) &&
          (values.supportedservices ?? []).every((service) => offering.services.some((one) => same(service, one.name))),
      );
    },
    show: showNetworkOffering,
  }),
  sync({
    name: 'createNetworkOffering',
    description: 'Creates a network offering.',
    roles: ['Admin'],
    parameters: {
      name: { type: 'string', required: true },
      displaytext: { type: 'string' },
      guestiptype: { type: 'string', required: true },
      traffictype: { type: 'string' },
      supportedservices: { type: 'list' },
      serviceproviderlist: { type: 'map' },
      conservemode: { type: 'boolean' },
      forvpc: { type: 'boolean' },
      availability: { type: 'string' },
      egressdefaultpolicy: { type: 'boolean' },
      specifyvlan: { type: 'boolean' },
      specifyipranges: { type: 'boolean' },
      enable: { type: 'boolean', since: '4.16' },
    },
    run: (call, values) => {
      const guestType = GUEST_TYPES.find((type) => type.toLowerCase() === values.guestiptype.toLowerCase());
      if (!guestType) throw invalidValue(`Invalid "type" parameter is given; can have Shared, Isolated and L2 values`);
      const forVpc = values.forvpc ?? false;
      const offering = call.state.networkOfferings.add({
        id: call.random.uuid(),
        name: values.name,
        displaytext: values.displaytext ?? values.name,
        guestType,
        state: values.enable ? 'Enabled' : 'Disabled',
        availability: values.availability === 'Required' ? 'Required' : 'Optional',
        isDefault: false,
        conserveMode: values.conservemode ?? true,
        forVpc,
        specifyIpRanges: values.specifyipranges ?? false,
        specifyVlan: values.specifyvlan ?? false,
        egressDefaultPolicy: values.egressdefaultpolicy ?? false,
        services: readServices(values.supportedservices ?? [], values.serviceproviderlist, forVpc),
        routed: false,
        created: call.clock.now(),
      });
      return { networkoffering: showNetworkOffering(offering, call) };
    },
  }),
  sync({
    name: 'updateNetworkOffering',
    description: 'Updates a network offering.',
    roles: ['Admin'],
    parameters: {
      id: { type: 'uuid', of: 'network-offering', required: true },
      name: { type: 'string' },
      displaytext: { type: 'string' },
      state: { type: 'string' },
    },
    run: (call, { id, name, displaytext, state }) => {
      const offering = call.state.networkOfferings.update(id, {
        ...(name !== undefined && { name }),
        ...(displaytext !== undefined && { displaytext }),
        ...(state !== undefined && { state: state === 'Enabled' ? 'Enabled' : 'Disabled' }),
      });
      return { networkoffering: offering && showNetworkOffering(offering, call) };
    },
  }),
];
