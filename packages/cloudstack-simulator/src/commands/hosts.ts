import { invalidValue } from '../api-error.ts';
import type { Call } from '../call.ts';
import { sameText } from '../collation.ts';
import { list } from '../command.ts';
import { formatDate } from '../date.ts';
import type { JsonObject } from '../json.ts';
import { like } from '../paging.ts';
import { PAGE } from '../parameter.ts';
import type { Host } from '../state.ts';
import { supports } from '../version-profile.ts';

/** What every simulated host has. */
const CORES = 2560;
const MEGAHERTZ = 8000;
const MEMORY = 2_748_779_069_440;

const AGENT_EVENTS =
  'AgentDisconnected; Remove; PingTimeout; AgentConnected; Ping; ManagementServerDown; HostDown; StartAgentRebalance; ShutdownRequested';

function showHost(host: Host, call: Call): JsonObject {
  return {
    id: host.id,
    name: host.name,
    state: host.state,
    disconnected: formatDate(host.created),
    type: 'Routing',
    ipaddress: `172.16.15.${host.internalId}`,
    zoneid: host.zoneId,
    zonename: call.state.zones.get(host.zoneId)?.name,
    podid: host.pod.id,
    podname: host.pod.name,
    version: call.profile.version,
    hypervisor: 'Simulator',
    ...showCapacity(host, call),
    capabilities: 'hvm',
    lastpinged: formatDate(call.clock.now() / 1000),
    managementserverid: host.pod.id,
    clusterid: host.cluster.id,
    clustername: host.cluster.name,
    clustertype: 'CloudManaged',
    islocalstorageactive: false,
    created: formatDate(host.created),
    events: AGENT_EVENTS,
    hostha: { haenable: false, hastate: 'Disabled' },
    outofbandmanagement: { powerstate: 'Disabled', enabled: false },
    resourcestate: 'Enabled',
    hypervisorversion: call.profile.version,
    hahost: false,
    ueficapability: false,
    hasannotations: supports(call.profile, '4.16') ? false : undefined,
  };
}

function showCapacity(host: Host, call: Call): JsonObject {
  const machines = call.state.virtualMachines.filter((vm) => vm.hostId === host.id && vm.removed === undefined);
  const offerings = machines.map((vm) => call.state.serviceOfferings.get(vm.serviceOfferingId));
  const megahertz = offerings.reduce((sum, one) => sum + (one ? one.cpuNumber * one.cpuSpeed : 0), 0);
  const memory = offerings.reduce((sum, one) => sum + (one?.memory ?? 0) * 1024 * 1024, 0);
  const share = `${((100 * megahertz) / (CORES * MEGAHERTZ)).toFixed(2)}%`;
  return {
    cpunumber: CORES,
    cpuspeed: MEGAHERTZ,
    cpuallocated: share,
    cpuallocatedvalue: megahertz,
    cpuallocatedpercentage: share,
    cpuallocatedwithoverprovisioning: share,
    cpuused: '0%',
    cpuwithoverprovisioning: String(CORES * MEGAHERTZ),
    cpuloadaverage: 0,
    networkkbsread: 32_768,
    networkkbswrite: 16_384,
    memorytotal: MEMORY,
    memorywithoverprovisioning: String(MEMORY),
    memoryallocated: memory,
    memoryallocatedpercentage: `${((100 * memory) / MEMORY).toFixed(2)}%`,
    memoryallocatedbytes: memory,
    memoryused: 0,
  };
}

/** Where a running machine can be moved to: the other hosts of its zone. */
function targetFor({ state }: Call, machineId: string | undefined): (host: Host) => boolean {
  if (machineId === undefined) return () => true;
  const vm = state.virtualMachines.get(machineId);
  if (vm?.state !== 'Running') throw invalidValue('VM is not running, cannot migrate the vm with specified id');
  return (host) => host.zoneId === vm.zoneId && host.id !== vm.hostId;
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
    select: (call, { id, name, state, type, zoneid, keyword, virtualmachineid }) => {
      const isTarget = targetFor(call, virtualmachineid);
      return call.state.hosts.filter(
        (host) =>
          isTarget(host) &&
          (id === undefined || host.id === id) &&
          (name === undefined || sameText(host.name, name)) &&
          (state === undefined || host.state.toLowerCase() === state.toLowerCase()) &&
          (type === undefined || type.toLowerCase() === 'routing') &&
          (zoneid === undefined || host.zoneId === zoneid) &&
          (keyword === undefined || like(host.name, keyword)),
      );
    },
    show: (host, call, { virtualmachineid }) => ({
      ...showHost(host, call),
      suitableformigration: virtualmachineid === undefined ? undefined : host.state === 'Up',
    }),
  }),
];
