import type { Call } from '../call.ts';
import { formatDate } from '../date.ts';
import type { JsonObject } from '../json.ts';
import type { Vpc, VpcOffering } from '../state.ts';
import { supports } from '../version-profile.ts';
import { showNetwork } from './network.ts';
import { showOwner } from './owner.ts';
import { showService } from './service.ts';
import { showTags } from './tags.ts';

export function showVpc(vpc: Vpc, call: Call): JsonObject {
  const { state, profile } = call;
  const offering = state.vpcOfferings.get(vpc.offeringId);
  const tiers = state.networks.by('vpcId', vpc.id).filter((network) => network.removed === undefined);
  return {
    id: vpc.id,
    name: vpc.name,
    displaytext: vpc.displaytext,
    state: vpc.state,
    zoneid: vpc.zoneId,
    zonename: state.zones.get(vpc.zoneId)?.name,
    service: offering?.services.map(showService),
    cidr: vpc.cidr,
    vpcofferingid: vpc.offeringId,
    vpcofferingname: offering?.name,
    vpcofferingconservemode: profile.vpcConserveMode ? offering?.conserveMode : undefined,
    created: formatDate(vpc.created),
    ...showOwner(call, vpc.accountId),
    network: tiers.map((tier) => showNetwork(tier, call)),
    restartrequired: vpc.restartRequired,
    networkdomain: vpc.networkDomain,
    tags: showTags(call, vpc.id),
    distributedvpcrouter: false,
    regionlevelvpc: false,
    redundantvpcrouter: false,
    dns1: vpc.dns1,
    dns2: vpc.dns2,
    publicmtu: supports(profile, '4.18') ? (vpc.publicMtu ?? 1500) : undefined,
    hasannotations: supports(profile, '4.16') ? false : undefined,
  };
}

export function showVpcOffering(offering: VpcOffering, call: Call): JsonObject {
  return {
    id: offering.id,
    name: offering.name,
    displaytext: offering.displaytext,
    created: formatDate(offering.created),
    isdefault: offering.isDefault,
    state: offering.state,
    service: offering.services.map(showService),
    distributedvpcrouter: false,
    supportsregionLevelvpc: false,
    fornsx: supports(call.profile, '4.20')
      ? offering.services.some(({ providers }) => providers.includes('Nsx'))
      : undefined,
    nsxmode: supports(call.profile, '4.20') ? offering.nsxMode : undefined,
    conservemode: call.profile.vpcConserveMode ? offering.conserveMode : undefined,
    internetprotocol: 'IPv4',
  };
}
