import { checkAccess } from '../access.ts';
import { addressToNumber } from '../addresses.ts';
import { invalidValue, unexpected } from '../api-error.ts';
import type { Call } from '../call.ts';
import { list } from '../command.ts';
import { like } from '../paging.ts';
import { PAGE, SCOPE } from '../parameter.ts';
import { resolveScope } from '../scope.ts';
import type { PublicIp } from '../state.ts';
import { showPublicIp } from '../views/public-ip.ts';
import { tagFilter } from './scoped-rows.ts';

interface Filter {
  readonly id?: string | undefined;
  readonly ipaddress?: string | undefined;
  readonly keyword?: string | undefined;
  readonly state?: string | undefined;
  readonly zoneid?: string | undefined;
  readonly networkid?: string | undefined;
  readonly associatednetworkid?: string | undefined;
  readonly vpcid?: string | undefined;
  readonly physicalnetworkid?: string | undefined;
  readonly vlanid?: string | undefined;
  readonly issourcenat?: boolean | undefined;
  readonly isstaticnat?: boolean | undefined;
  readonly forloadbalancing?: boolean | undefined;
}

function matcher(call: Call, values: Filter): (ip: PublicIp) => boolean {
  const { state } = call;
  const wanted = values.state?.toLowerCase();
  return (ip) =>
    same(values.id, ip.id) &&
    same(values.ipaddress, ip.address) &&
    same(values.zoneid, ip.zoneId) &&
    same(values.associatednetworkid, ip.networkId) &&
    same(values.vpcid, ip.vpcId) &&
    same(values.issourcenat, ip.isSourceNat) &&
    same(values.isstaticnat, ip.staticNat !== undefined) &&
    (values.networkid === undefined || state.zones.get(ip.zoneId)?.publicNetworkId === values.networkid) &&
    (values.physicalnetworkid === undefined ||
      state.zones.get(ip.zoneId)?.physicalNetworkId === values.physicalnetworkid) &&
    (values.vlanid === undefined || state.zones.get(ip.zoneId)?.publicVlan.id === values.vlanid) &&
    (values.keyword === undefined || like(ip.address, values.keyword)) &&
    (wanted === undefined || ip.state.toLowerCase() === wanted) &&
    (values.forloadbalancing !== true || state.loadBalancerRules.by('publicIpId', ip.id).length > 0);
}

function same<T>(wanted: T | undefined, actual: T | undefined): boolean {
  return wanted === undefined || wanted === actual;
}

/** Free addresses show by default only when they are asked for by state. */
function onlyAllocated(allocatedonly: boolean | undefined, state: string | undefined): boolean {
  const free = state !== undefined && ['free', 'reserved'].includes(state.toLowerCase());
  if (free && allocatedonly === true) throw invalidValue(`Conflict: allocatedonly is true but state is ${state}`);
  return allocatedonly ?? !free;
}

function checkNetwork(call: Call, id: string | undefined): void {
  if (id === undefined) return;
  const network = call.state.networks.get(id);
  if (!network) throw unexpected(`Unable to find network ${id}`);
  if (network.aclType === 'Account') checkAccess(call, network.accountId);
}

export const publicIpListCommands = [
  list({
    name: 'listPublicIpAddresses',
    description: 'Lists all public ip addresses',
    item: 'publicipaddress',
    parameters: {
      ...PAGE,
      ...SCOPE,
      id: { type: 'uuid', of: 'public-ip' },
      ipaddress: { type: 'string' },
      allocatedonly: { type: 'boolean' },
      state: { type: 'string' },
      zoneid: { type: 'uuid', of: 'zone' },
      networkid: { type: 'uuid', of: 'any-network', since: '4.13' },
      associatednetworkid: { type: 'uuid', of: 'network' },
      vpcid: { type: 'uuid', of: 'vpc' },
      physicalnetworkid: { type: 'uuid', of: 'physical-network' },
      vlanid: { type: 'uuid', of: 'vlan' },
      issourcenat: { type: 'boolean' },
      isstaticnat: { type: 'boolean' },
      forvirtualnetwork: { type: 'boolean' },
      forloadbalancing: { type: 'boolean' },
      forsystemvms: { type: 'boolean', since: '4.20' },
      fordisplay: { type: 'boolean', rootOnly: true },
      retrieveonlyresourcecount: { type: 'boolean', since: '4.19' },
    },
    select: (call, values) => {
      const allocatedOnly = onlyAllocated(values.allocatedonly, values.state);
      checkNetwork(call, values.associatednetworkid);
      const scope = resolveScope(call, values);
      const tagged = tagFilter(call, values.tags);
      const matches = matcher(call, values);
      const shows = (ip: PublicIp): boolean =>
        (ip.accountId === undefined ? !allocatedOnly && !ip.isSystem : scope.includes(ip.accountId)) &&
        !(allocatedOnly && (ip.state === 'Free' || ip.state === 'Releasing')) &&
        values.forvirtualnetwork !== false &&
        (tagged === undefined || tagged.has(ip.id)) &&
        matches(ip);
      return candidates(call, values, allocatedOnly ? scope.owners : undefined)
        .filter(shows)
        .sort((a, b) => addressToNumber(a.address) - addressToNumber(b.address));
    },
    show: showPublicIp,
  }),
];

function candidates(call: Call, values: Filter, owners: readonly string[] | undefined): readonly PublicIp[] {
  const { publicIps } = call.state;
  if (values.id !== undefined) {
    const ip = publicIps.get(values.id);
    return ip ? [ip] : [];
  }
  if (values.ipaddress !== undefined) return publicIps.by('address', values.ipaddress);
  return owners ? owners.flatMap((owner) => publicIps.by('accountId', owner)) : [...publicIps.values()];
}
