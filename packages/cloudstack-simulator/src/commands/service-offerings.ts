import { sameText } from '../collation.ts';
import { list } from '../command.ts';
import { formatDate } from '../date.ts';
import type { JsonObject } from '../json.ts';
import { like } from '../paging.ts';
import { PAGE } from '../parameter.ts';
import type { ServiceOffering } from '../state.ts';

function showServiceOffering(offering: ServiceOffering): JsonObject {
  return {
    id: offering.id,
    name: offering.name,
    state: 'Active',
    displaytext: offering.displaytext,
    cpunumber: offering.cpuNumber,
    cpuspeed: offering.cpuSpeed,
    memory: offering.memory,
    created: formatDate(offering.created),
    storagetype: 'shared',
    provisioningtype: 'thin',
    offerha: false,
    limitcpuuse: false,
    isvolatile: false,
    issystem: false,
    defaultuse: false,
    iscustomized: false,
    rootdisksize: 0,
    dynamicscalingenabled: true,
    diskofferingstrictness: false,
    encryptroot: false,
    hasannotations: false,
  };
}

export const serviceOfferingCommands = [
  list({
    name: 'listServiceOfferings',
    description: 'Lists all available service offerings.',
    item: 'serviceoffering',
    parameters: {
      ...PAGE,
      id: { type: 'uuid', of: 'service-offering' },
      name: { type: 'string' },
      domainid: { type: 'uuid', of: 'domain' },
      issystem: { type: 'boolean' },
      virtualmachineid: { type: 'uuid', of: 'virtual-machine' },
      zoneid: { type: 'uuid', of: 'zone' },
    },
    select: (call, { id, name, keyword }) =>
      call.state.serviceOfferings.filter(
        (offering) =>
          offering.isSystem !== true &&
          (id === undefined || offering.id === id) &&
          (name === undefined || sameText(offering.name, name)) &&
          (keyword === undefined || like(offering.name, keyword)),
      ),
    show: (offering) => showServiceOffering(offering),
  }),
];
