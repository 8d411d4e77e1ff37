import { isRoot, type Call } from '../call.ts';
import { formatDate } from '../date.ts';
import type { JsonObject } from '../json.ts';
import type { Nic, VirtualMachine } from '../state.ts';
import { supports } from '../version-profile.ts';
import { showOwner } from './owner.ts';
import { showPendingJob } from './pending-job.ts';
import { showFullTags } from './tags.ts';

/** What of a machine is asked for; `all` is everything. */
export type Details = ReadonlySet<string>;

export const ALL_DETAILS: Details = new Set(['all']);

/** These hold no network resources. */
const GONE = new Set(['Error', 'Destroyed', 'Expunging']);

const UP = new Set(['Running', 'Starting', 'Stopping', 'Migrating']);

/** What every machine here runs on. */
export const HYPERVISOR = 'Simulator';

/** The name under which the hypervisor knows a machine; only root sees it. */
export function instanceName(vm: VirtualMachine, { state }: Pick<Call, 'state'>): string {
  return `i-${state.accounts.get(vm.accountId)?.internalId ?? 0}-${vm.internalId}-VM`;
}

export function showVirtualMachine(vm: VirtualMachine, call: Call, details: Details = ALL_DETAILS): JsonObject {
  const wants = (detail: string): boolean => details.has('all') || details.has(detail);
  const user = call.state.users.get(vm.userId);
  const root = isRoot(call);
  const { account, ...owner } = showOwner(call, vm.accountId);
  const nics = shownNics(vm, call, wants('nics'));
  return {
    id: vm.id,
    name: vm.name,
    displayname: vm.displayname,
    account,
    userid: vm.userId,
    username: user?.username,
    ...owner,
    created: formatDate(vm.created),
    lastupdated: vm.lastUpdated === undefined ? undefined : formatDate(vm.lastUpdated),
    state: vm.state,
    haenable: vm.haEnabled,
    group: wants('group') ? vm.group : undefined,
    zoneid: vm.zoneId,
    zonename: call.state.zones.get(vm.zoneId)?.name,
    ...showHost(vm, call),
    ...(wants('tmpl') && showTemplate(vm, call)),
    ...(wants('servoff') && showOffering(vm, call)),
    ...(wants('stats') && vm.state === 'Running' && STATISTICS),
    ...showSystem(vm, call, wants('volume')),
    securitygroup: [],
    nic: nics.map((nic) => showNic(nic, vm, call)),
    hypervisor: HYPERVISOR,
    ipaddress: mainAddress(nics),
    ...showStaticNat(vm, call),
    instancename: root ? instanceName(vm, call) : undefined,
    keypair: vm.keypair,
    details: shownDetails(vm, root),
    readonlydetails: root ? undefined : 'dataDiskController, rootDiskController',
    affinitygroup: wants('affgrp') ? (vm.affinityGroups ?? []).map(({ id, name }) => ({ id, name })) : [],
    displayvm: root ? vm.display !== false : undefined,
    isdynamicallyscalable: false,
    ...showPlatform(vm, call),
    receivedbytes: 0,
    sentbytes: 0,
    tags: showFullTags(call, vm.id),
    hasannotations: supports(call.profile, '4.16') ? false : undefined,
    ...showPendingJob(call, vm.id),
  };
}

/**
 * Without the detail `nics` the answer lacks the first one: a mistake of the real server that clients must know. It
 * drops the first row of a join with the tags, so with two tags the interface comes back.
 */
function shownNics(vm: VirtualMachine, { state }: Call, all: boolean): readonly Nic[] {
  return all || state.tags.by('resourceId', vm.id).length > 1 ? vm.nics : vm.nics.slice(1);
}

function shownDetails(vm: VirtualMachine, root: boolean): JsonObject {
  const freed = vm.state === 'Destroyed' || vm.state === 'Expunging';
  return root && freed ? { ...vm.details, 'Message.ReservedCapacityFreed.Flag': 'false' } : vm.details;
}

function mainAddress(nics: readonly Nic[]): string | undefined {
  const main = nics.find((nic) => nic.isDefault) ?? nics[0];
  return main?.ipAddress;
}

function showHost(vm: VirtualMachine, call: Call): JsonObject {
  const host = vm.hostId === undefined ? undefined : call.state.hosts.get(vm.hostId);
  if (!host || !UP.has(vm.state)) return {};
  const root = isRoot(call);
  return {
    hostid: root ? host.id : undefined,
    hostname: root ? host.name : undefined,
    hostcontrolstate: supports(call.profile, '4.20') ? 'Enabled' : undefined,
  };
}

function showTemplate(vm: VirtualMachine, call: Call): JsonObject {
  const template = call.state.templates.get(vm.templateId);
  return {
    templateid: vm.templateId,
    templatename: template?.name,
    templatetype: 'BUILTIN',
    templateformat: 'VHD',
    templatedisplaytext: template?.displaytext,
    passwordenabled: template?.passwordEnabled ?? false,
  };
}

function showOffering(vm: VirtualMachine, call: Call): JsonObject {
  const offering = call.state.serviceOfferings.get(vm.serviceOfferingId);
  return {
    serviceofferingid: vm.serviceOfferingId,
    serviceofferingname: offering?.name,
    cpunumber: offering?.cpuNumber,
    cpuspeed: offering?.cpuSpeed,
    memory: offering?.memory,
  };
}

const STATISTICS: JsonObject = {
  cpuused: '10%',
  networkkbsread: 32_768,
  networkkbswrite: 16_384,
  diskkbsread: 0,
  diskkbswrite: 0,
  memorykbs: 0,
  memoryintfreekbs: 0,
  memorytargetkbs: 0,
  diskioread: 0,
  diskiowrite: 0,
};

function showSystem(vm: VirtualMachine, call: Call, volume: boolean): JsonObject {
  const template = call.state.templates.get(vm.templateId);
  return {
    guestosid: template?.osTypeId,
    rootdeviceid: volume ? 0 : undefined,
    rootdevicetype: volume ? 'ROOT' : undefined,
  };
}

function showPlatform(vm: VirtualMachine, call: Call): JsonObject {
  const template = call.state.templates.get(vm.templateId);
  return {
    ostypeid: template?.osTypeId,
    osdisplayname: supports(call.profile, '4.15') ? template?.osDisplayName : undefined,
    pooltype: vm.lastHostId === undefined ? undefined : 'NetworkFilesystem',
  };
}

function showStaticNat(vm: VirtualMachine, call: Call): JsonObject {
  const [ip] = call.state.publicIps.by('virtualMachineId', vm.id);
  return ip ? { publicipid: ip.id, publicip: ip.address } : {};
}

export function showNic(nic: Nic, vm: VirtualMachine, call: Call): JsonObject {
  const network = call.state.networks.get(nic.networkId);
  const vpc = network?.vpcId === undefined ? undefined : call.state.vpcs.get(network.vpcId);
  const addressed = nic.ipAddress !== undefined;
  // A machine that was stopped gives its network resources back.
  const vlan =
    network?.vlan === undefined || (vm.state === 'Stopped' && vm.lastHostId !== undefined) ? undefined : network.vlan;
  const uri = vlan === undefined || GONE.has(vm.state) ? undefined : `vlan://${vlan}`;
  return {
    id: nic.id,
    networkid: nic.networkId,
    networkname: network?.name,
    netmask: addressed ? network?.netmask : undefined,
    gateway: addressed ? network?.gateway : undefined,
    ipaddress: nic.ipAddress,
    isolationuri: uri,
    broadcasturi: uri,
    traffictype: 'Guest',
    type: network?.guestType,
    isdefault: nic.isDefault,
    macaddress: nic.macAddress,
    ip6gateway: nic.ip6Address === undefined ? undefined : network?.ip6Gateway,
    ip6cidr: nic.ip6Address === undefined ? undefined : network?.ip6Cidr,
    ip6address: nic.ip6Address,
    secondaryip: nic.secondaryIps.map((ip) => ({ id: ip.id, ipaddress: ip.address })),
    extradhcpoption: [],
    deviceid: String(nic.deviceId),
    vpcid: vpc?.id,
    vpcname: vpc?.name,
  };
}
