import { sameText } from '../collation.ts';
import { list } from '../command.ts';
import { isRoot, type Call } from '../call.ts';
import { like } from '../paging.ts';
import { PAGE } from '../parameter.ts';
import type { Zone } from '../state.ts';
import { showZone } from '../views/zone.ts';
import { tagFilter } from './scoped-rows.ts';

/** `available=false` asks for the zones in which the caller has something at work: a router, by which CloudStack tells. */
function hasRouter({ state, caller }: Call, zone: Zone): boolean {
  return state.routers.find((one) => one.zoneId === zone.id && one.accountId === caller.account.id) !== undefined;
}

export const zoneCommands = [
  list({
    name: 'listZones',
    description: 'Lists zones',
    item: 'zone',
    parameters: {
      ...PAGE,
      id: { type: 'uuid', of: 'zone' },
      ids: { type: 'uuid-list', of: 'zone', since: '4.19' },
      available: { type: 'boolean' },
      name: { type: 'string' },
      networktype: { type: 'string' },
      domainid: { type: 'uuid', of: 'domain' },
      tags: { type: 'map' },
      showcapacities: { type: 'boolean' },
      showicon: { type: 'boolean', since: '4.16' },
    },
    select: (call, { id, ids, available, name, keyword, networktype, domainid, tags }) => {
      // Asks for zones that are kept for a domain, and there are none.
      if (domainid !== undefined) return [];
      const tagged = tagFilter(call, tags);
      return call.state.zones.filter(
        (zone) =>
          (id === undefined || zone.id === id) &&
          (ids === undefined || ids.includes(zone.id)) &&
          (name === undefined || sameText(zone.name, name)) &&
          (keyword === undefined || like(zone.name, keyword)) &&
          (networktype === undefined || zone.networkType.toLowerCase() === networktype.toLowerCase()) &&
          (available !== false || hasRouter(call, zone)) &&
          (tagged === undefined || tagged.has(zone.id)) &&
          (zone.allocationState === 'Enabled' || isRoot(call)),
      );
    },
    show: showZone,
  }),
];
