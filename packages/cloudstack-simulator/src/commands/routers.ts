import { invalidValue, unexpected } from '../api-error.ts';
import type { Call } from '../call.ts';
import { sameText } from '../collation.ts';
import { asynchronous, list } from '../command.ts';
import { formatDate } from '../date.ts';
import type { JsonObject } from '../json.ts';
import { like } from '../paging.ts';
import { PAGE } from '../parameter.ts';
import type { Router } from '../state.ts';
import { showOwner } from '../views/owner.ts';

function showRouter(router: Router, call: Call): JsonObject {
  const { state } = call;
  const network = router.networkId === undefined ? undefined : state.networks.get(router.networkId);
  const vpc = router.vpcId === undefined ? undefined : state.vpcs.get(router.vpcId);
  return {
    id: router.id,
    zoneid: router.zoneId,
    zonename: state.zones.get(router.zoneId)?.name,
    name: router.name,
    guestnetworkid: network?.id,
    guestnetworkname: network?.name,
    vpcid: vpc?.id,
    vpcname: vpc?.name,
    created: formatDate(router.created),
    ...showOwner(call, router.accountId),
    state: router.state,
    role: 'VIRTUAL_ROUTER',
    isredundantrouter: false,
    requiresupgrade: false,
    version: call.profile.version,
  };
}

function existing(call: Call, id: string): Router {
  const router = call.state.routers.get(id);
  if (!router) throw invalidValue(`Unable to find virtual router by id ${id}`);
  return router;
}

function shown(call: Call, id: string): { readonly router: JsonObject } {
  return { router: showRouter(existing(call, id), call) };
}

const COMMON = { roles: ['Admin'], instanceType: 'SystemVm' } as const;
const ID = { id: { type: 'uuid', of: 'router', required: true } } as const;

export const routerCommands = [
  list({
    name: 'listRouters',
    description: 'List routers.',
    item: 'router',
    roles: ['Admin'],
    parameters: {
      ...PAGE,
      id: { type: 'uuid', of: 'router' },
      name: { type: 'string' },
      networkid: { type: 'uuid', of: 'network' },
      vpcid: { type: 'uuid', of: 'vpc' },
      zoneid: { type: 'uuid', of: 'zone' },
      state: { type: 'string' },
      listall: { type: 'boolean' },
      projectid: { type: 'uuid', of: 'project' },
    },
    select: (call, { id, name, keyword, networkid, vpcid, zoneid, state }) =>
      call.state.routers.filter(
        (router) =>
          (id === undefined || router.id === id) &&
          (name === undefined || sameText(router.name, name)) &&
          (keyword === undefined || like(router.name, keyword) || like(router.state, keyword)) &&
          (networkid === undefined || router.networkId === networkid) &&
          (vpcid === undefined || router.vpcId === vpcid) &&
          (zoneid === undefined || router.zoneId === zoneid) &&
          (state === undefined || router.state.toLowerCase() === state.toLowerCase()),
      ),
    show: showRouter,
  }),
  asynchronous({
    ...COMMON,
    name: 'stopRouter',
    description: 'Stops a router.',
    commandClass: 'admin.router.StopRouterCmd',
    event: 'ROUTER.STOP',
    parameters: { ...ID, forced: { type: 'boolean' } },
    run: async (call, { id }, job) => {
      existing(call, id);
      await job.work();
      call.state.routers.update(id, { state: 'Stopped' });
      return shown(call, id);
    },
  }),
  asynchronous({
    ...COMMON,
    name: 'startRouter',
    description: 'Starts a router.',
    commandClass: 'admin.router.StartRouterCmd',
    event: 'ROUTER.START',
    parameters: ID,
    run: async (call, { id }, job) => {
      if (existing(call, id).state === 'Running') throw unexpected('Router is already running');
      call.state.routers.update(id, { state: 'Starting' });
      await job.work();
      call.state.routers.update(id, { state: 'Running' });
      return shown(call, id);
    },
  }),
  asynchronous({
    ...COMMON,
    name: 'rebootRouter',
    description: 'Starts a router.',
    commandClass: 'admin.router.RebootRouterCmd',
    event: 'ROUTER.REBOOT',
    parameters: ID,
    run: async (call, { id }, job) => {
      existing(call, id);
      await job.work();
      call.state.routers.update(id, { state: 'Running' });
      return shown(call, id);
    },
  }),
];
