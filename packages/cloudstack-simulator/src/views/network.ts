import { isRoot, type Call } from '../call.ts';
import { formatDate } from '../date.ts';
import type { JsonObject } from '../json.ts';
import { specifiesIpRanges } from '../operations/networks.ts';
import type { Network } from '../state.ts';
import { supports } from '../version-profile.ts';
import { showOwner } from './owner.ts';
import { showNetworkService } from './service.ts';
import { showTags } from './tags.ts';

export function showNetwork(network: Network, call: Call): JsonObject {
  const { state, profile } = call;
  const since = (version: string): boolean => supports(profile, version);
  const vpc = network.vpcId === undefined ? undefined : call.state.vpcs.get(network.vpcId);
  const zone = state.zones.get(network.zoneId);
  const root = isRoot(call);
  return {
    id: network.id,
    name: network.name,
    displaytext: network.displaytext,
    broadcastdomaintype: 'Vlan',
    traffictype: 'Guest',
    gateway: network.gateway,
    netmask: network.netmask,
    cidr: network.cidr,
    zoneid: network.zoneId,
    zonename: zone?.name,
    ...showOffering(network, call),
    issystem: false,
    state: network.state,
    related: network.id,
    broadcasturi: root && network.vlan !== undefined ? `vlan://${network.vlan}` : undefined,
    dns1: network.dns1 ?? vpc?.dns1 ?? zone?.dns1,
    dns2: network.dns2 ?? vpc?.dns2,
    type: network.guestType,
    vlan: root && network.vlan !== undefined ? String(network.vlan) : undefined,
    acltype: network.aclType,
    ...showNetworkOwner(network, call),
    service: showServices(network, call),
    networkdomain: network.networkDomain,
    physicalnetworkid: zone?.physicalNetworkId,
    restartrequired: network.restartRequired,
    specifyipranges: specifiesIpRanges(state, network),
    ...showVpc(network, call),
    canusefordeploy: true,
    ispersistent: false,
    tags: showTags(call, network.id),
    details: root ? {} : undefined,
    ip6gateway: network.ip6Gateway,
    ip6cidr: network.ip6Cidr,
    displaynetwork: root ? network.display !== false : undefined,
    ...showAcl(network, call),
    strechedl2subnet: false,
    redundantrouter: false,
    supportsvmautoscaling: since('4.18') ? autoscales(network, call) : undefined,
    created: since('4.16') ? formatDate(network.created) : undefined,
    receivedbytes: 0,
    sentbytes: 0,
    egressdefaultpolicy: showsEgress(network) ? egressPolicy(network, call) : undefined,
    publicmtu: since('4.18') ? 1500 : undefined,
    privatemtu: since('4.18') ? 1500 : undefined,
    hasannotations: since('4.16') ? false : undefined,
  };
}

function showOffering(network: Network, call: Call): JsonObject {
  const offering = call.state.networkOfferings.get(network.offeringId);
  return {
    networkofferingid: network.offeringId,
    networkofferingname: offering?.name,
    networkofferingdisplaytext: offering?.displaytext,
    networkofferingconservemode: offering?.conserveMode,
    networkofferingavailability: offering?.availability,
  };
}

function showNetworkOwner(network: Network, call: Call): JsonObject {
  if (network.aclType === 'Account') return showOwner(call, network.accountId);
  const domain = network.domainId === undefined ? undefined : call.state.domains.get(network.domainId);
  return {
    subdomainaccess: network.subdomainAccess,
    domainid: domain?.id,
    domain: domain?.name,
    domainpath: domain?.path,
  };
}

function showServices(network: Network, call: Call): readonly JsonObject[] {
  const offering = call.state.networkOfferings.get(network.offeringId);
  const options = {
    sslTermination: call.profile.routerSsl,
    defaultOffering: offering?.isDefault ?? true,
    providers: call.profile.serviceProviders,
  };
  return (offering?.services ?? []).map((service) => showNetworkService(service, options));
}

function showVpc(network: Network, call: Call): JsonObject {
  const vpc = network.vpcId === undefined ? undefined : call.state.vpcs.get(network.vpcId);
  return { vpcid: vpc?.id, vpcname: vpc?.name };
}

function showAcl(network: Network, call: Call): JsonObject {
  const list = network.aclListId === undefined ? undefined : call.state.aclLists.get(network.aclListId);
  return { aclid: list?.id, aclname: list?.name };
}

function hasService(network: Network, call: Call, name: string): boolean {
  const offering = call.state.networkOfferings.get(network.offeringId);
  return offering?.services.some((service) => service.name === name) ?? false;
}

/** The offerings of the installation claim it; those that administrators make do not unless they are told to. */
function autoscales(network: Network, call: Call): boolean {
  return hasService(network, call, 'Lb') && call.state.networkOfferings.get(network.offeringId)?.isDefault === true;
}

function showsEgress(network: Network): boolean {
  return network.guestType === 'Isolated' && network.vpcId === undefined;
}

function egressPolicy(network: Network, call: Call): boolean | undefined {
  return call.state.networkOfferings.get(network.offeringId)?.egressDefaultPolicy;
}
