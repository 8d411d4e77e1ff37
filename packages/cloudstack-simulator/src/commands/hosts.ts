import type { Call } from '../call.ts';
import { list } from '../command.ts';
import { formatDate } from '../date.ts';
import type { JsonObject } from '../json.ts';
import { like } from '../paging.ts';
import { PAGE } from '../parameter.ts';
import type { Host } from '../state.ts';

function showHost(host: Host, call: Call): JsonObject {
  const machines = call.state.virtualMachines.filter((vm) => vm.hostId === host.id && vm.removed === undefined);
  const memory = machines
    .map((vm) => call.state.serviceOfferings.get(vm.serviceOfferingId)?.memory ?? 0)
    .reduce((sum, one) => sum + one * 1024 * 1024, 0);
  return {
    id: host.id,
    name: host.name,
    state: host.state,
    type: 'Routing',
    ipaddress: `172.16.15.${host.internalId}`,
    zoneid: host.zoneId,
    zonename: call.state.zones.get(host.zoneId)?.name,
    version: call.profile.version,
    hypervisor: 'Simulator',
    cpunumber: 2560,
    cpuspeed: 8000,
    memorytotal: 2_748_779_069_440,
    memoryallocated: memory,
    memoryused: 0,
    created: formatDate(call.clock.now()),
    resourcestate: 'Enabled',
    hahost: false,
    hasannotations: false,
  };
}

export const hostCommands = [
  list({
    name: 'listHosts',
    description: 'Lists hosts.',
    item: 'host',
    roles: ['Admin'],
    parameters: {
      ...PAGE,
      id: { type: 'uuid', of: 'host' },
      name: { type: 'string' },
      state: { type: 'string' },
      type: { type: 'string' },
      zoneid: { type: 'uuid', of: 'zone' },
      virtualmachineid: { type: 'uuid', of: 'virtual-machine' },
    },
    select: (call, { id, name, state, type, zoneid, keyword }) =>
      call.state.hosts.filter(
        (host) =>
          (id === undefined || host.id === id) &&
          (name === undefined || host.name === name) &&
          (state === undefined || host.state.toLowerCase() === state.toLowerCase()) &&
          (type === undefined || type.toLowerCase() === 'routing') &&
          (zoneid === undefined || host.zoneId === zoneid) &&
          (keyword === undefined || like(host.name, keyword)),
      ),
    show: showHost,
  }),
];
