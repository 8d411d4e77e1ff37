import { isRoot, type Call } from '../call.ts';
import { formatDate } from '../date.ts';
import type { JsonObject } from '../json.ts';
import type { PublicIp } from '../state.ts';
import { supports } from '../version-profile.ts';
import { showOwner } from './owner.ts';
import { showPendingJob } from './pending-job.ts';
import { showTags } from './tags.ts';

export function showPublicIp(ip: PublicIp, call: Call): JsonObject {
  const { state, profile } = call;
  const zone = state.zones.get(ip.zoneId);
  const vpc = ip.vpcId === undefined ? undefined : state.vpcs.get(ip.vpcId);
  const since = (version: string): boolean => supports(profile, version);
  const owned = ip.accountId !== undefined;
  return {
    id: ip.id,
    ipaddress: ip.address,
    allocated: ip.allocated === undefined ? undefined : formatDate(ip.allocated),
    zoneid: ip.zoneId,
    zonename: zone?.name,
    issourcenat: ip.isSourceNat,
    ...(ip.accountId !== undefined && showOwner(call, ip.accountId)),
    forvirtualnetwork: true,
    vlanid: isRoot(call) ? zone?.publicVlan.id : undefined,
    vlanname: isRoot(call) && zone ? `vlan://${zone.publicVlan.tag}` : undefined,
    isstaticnat: ip.staticNat !== undefined,
    issystem: ip.isSystem,
    ...showPlace(ip, call),
    networkid: zone?.publicNetworkId,
    state: ip.state,
    physicalnetworkid: zone?.physicalNetworkId,
    vpcid: vpc?.id,
    vpcname: vpc?.name,
    purpose: ip.systemMachine && 'Lb',
    tags: owned ? showTags(call, ip.id) : [],
    isportable: ip.isPortable,
    fordisplay: isRoot(call) && owned ? ip.display !== false : undefined,
    hasrules: since('4.19') ? hasRules(ip, call) : undefined,
    // Tells of ranges that are kept for system machines, not of who uses the address.
    forsystemvms: since('4.20') ? false : undefined,
    hasannotations: since('4.16') ? false : undefined,
    // The job that acquires an address does not name itself.
    ...(!call.inJob && showPendingJob(call, ip.id)),
  };
}

function showPlace(ip: PublicIp, call: Call): JsonObject {
  const network = ip.networkId === undefined ? undefined : call.state.networks.get(ip.networkId);
  return {
    ...showMachine(ip, call),
    associatednetworkid: network?.id,
    associatednetworkname: network?.name,
  };
}

/** The machine that static NAT leads to, or the system machine that has the address. */
function showMachine({ staticNat, systemMachine }: PublicIp, call: Call): JsonObject {
  const vm = staticNat && call.state.virtualMachines.get(staticNat.virtualMachineId);
  const typed = supports(call.profile, '4.19');
  return {
    virtualmachineid: vm?.id ?? systemMachine?.id,
    vmipaddress: staticNat?.guestAddress,
    virtualmachinename: vm?.name ?? systemMachine?.name,
    virtualmachinedisplayname: vm?.displayname,
    virtualmachinetype: typed ? (vm ? 'User' : systemMachine?.type) : undefined,
  };
}

/** Rules of any kind, firewall rules included. */
function hasRules({ id }: PublicIp, { state }: Call): boolean {
  return [state.loadBalancerRules, state.firewallRules, state.portForwardingRules].some(
    (table) => table.by('publicIpId', id).length > 0,
  );
}
