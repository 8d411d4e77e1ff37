import { sameText } from '../collation.ts';
import { list } from '../command.ts';
import { isRoot } from '../call.ts';
import { like } from '../paging.ts';
import { PAGE } from '../parameter.ts';
import { showZone } from '../views/zone.ts';
import { tagFilter } from './scoped-rows.ts';

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
    select: (call, { id, ids, name, keyword, networktype, domainid, tags }) => {
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
          (tagged === undefined || tagged.has(zone.id)) &&
          (zone.allocationState === 'Enabled' || isRoot(call)),
      );
    },
    show: showZone,
  }),
];
