import type { Call } from '../call.ts';
import { sameText } from '../collation.ts';
import { list } from '../command.ts';
import { formatDate } from '../date.ts';
import { MANAGEMENT_SERVER_ID } from '../entity-kind.ts';
import type { JsonObject } from '../json.ts';
import { like } from '../paging.ts';
import { PAGE } from '../parameter.ts';
import { supports } from '../version-profile.ts';

/** There is one server, and nobody ever asks for its row by anything but its name or id. */
interface ManagementServer {
  readonly id: string;
  readonly name: string;
}

const SERVER: ManagementServer = { id: MANAGEMENT_SERVER_ID, name: 'localhost' };

function showServer({ id, name }: ManagementServer, call: Call): JsonObject {
  const started = formatDate(call.clock.now() - 3_600_000);
  return {
    id,
    name,
    state: 'Up',
    version: call.profile.version,
    javadistribution: 'OpenJDK',
    javaversion: '17.0.11',
    osdistribution: 'Ubuntu 24.04 LTS',
    lastserverstart: started,
    lastboottime: started,
  };
}

function showAddress({ profile }: Call): JsonObject {
  return { serviceip: '127.0.0.1', ipaddress: supports(profile, '4.21') ? '127.0.0.1' : undefined };
}

function showMetrics(server: ManagementServer, call: Call): JsonObject {
  return {
    availableprocessors: 2,
    agentcount: call.state.hosts.size,
    sessions: 1,
    heapmemoryused: 368_165_776,
    heapmemorytotal: 2_863_661_056,
    threadsblockedcount: 0,
    threadsdaemoncount: 11,
    threadsrunnablecount: 9,
    threadsteminatedcount: 0,
    threadstotalcount: 511,
    threadswaitingcount: 426,
    systemmemorytotal: '23.54 GB',
    systemmemoryfree: '11.20 GB',
    systemmemoryvirtualsize: '6.09 GB',
    loginfo: '',
    systemtotalcpucycles: 4600,
    systemloadaverages: [0.95, 1.16, 1.44],
    systemcycleusage: [620_484, 109_233, 74_452],
    dbislocal: true,
    usageislocal: false,
    cpuload: '9.74 %',
    collectiontime: formatDate(call.clock.now()),
    ...showServer(server, call),
    kernelversion: '6.8.0',
    ...showAddress(call),
  };
}

const PARAMETERS = { ...PAGE, id: { type: 'uuid', of: 'management-server' }, name: { type: 'string' } } as const;

function matching(
  values: Readonly<Partial<Record<'id' | 'name' | 'keyword', string | undefined>>>,
): ManagementServer[] {
  const { id, name, keyword } = values;
  const fits =
    (id === undefined || id === SERVER.id) &&
    (name === undefined || sameText(name, SERVER.name)) &&
    (keyword === undefined || like(SERVER.name, keyword));
  return fits ? [SERVER] : [];
}

export const managementServerCommands = [
  list({
    name: 'listManagementServers',
    description: 'Lists management servers.',
    item: 'managementserver',
    since: '4.17',
    roles: ['Admin'],
    parameters: PARAMETERS,
    select: (_, values) => matching(values),
    show: (server, call) => ({ ...showServer(server, call), ...showAddress(call) }),
  }),
  list({
    name: 'listManagementServersMetrics',
    description: 'Lists Management Server metrics',
    item: 'managementserver',
    since: '4.17',
    roles: ['Admin'],
    parameters: { ...PARAMETERS, system: { type: 'boolean' } },
    select: (_, values) => matching(values),
    show: showMetrics,
  }),
];
