import { isRoot, type Call } from '../call.ts';
import type { JsonObject } from '../json.ts';
import type { Zone } from '../state.ts';
import { supports } from '../version-profile.ts';
import { showFullTags } from './tags.ts';

export function showZone(zone: Zone, call: Call): JsonObject {
  const root = isRoot(call);
  const since = (version: string): boolean => supports(call.profile, version);
  return {
    id: zone.id,
    name: zone.name,
    description: zone.description,
    dns1: root ? zone.dns1 : undefined,
    internaldns1: root ? zone.internalDns1 : undefined,
    guestcidraddress: root ? zone.guestCidr : undefined,
    networktype: zone.networkType,
    securitygroupsenabled: zone.securityGroupsEnabled,
    allocationstate: zone.allocationState,
    zonetoken: zone.zoneToken,
    dhcpprovider: 'VirtualRouter',
    localstorageenabled: false,
    tags: showFullTags(call, zone.id),
    ...(since('4.18') && {
      allowuserspecifyvrmtu: false,
      routerprivateinterfacemaxmtu: 1500,
      routerpublicinterfacemaxmtu: 1500,
      type: 'Core',
    }),
    isnsxenabled: since('4.20') ? false : undefined,
    hasannotations: since('4.16') ? false : undefined,
  };
}
