import { checkAccess } from '../access.ts';
import { parseBlock } from '../addresses.ts';
import { invalidValue, resourceAllocation, unexpected } from '../api-error.ts';
import type { Call } from '../call.ts';
import { asynchronous, create, list } from '../command.ts';
import { nameServersOf, networkDomainOf, sourceNatOf, startVpcRouter } from '../operations/networks.ts';
import { like } from '../paging.ts';
import { PAGE, SCOPE } from '../parameter.ts';
import { isReached } from '../settings.ts';
import type { Vpc } from '../state.ts';
import { showVpc, showVpcOffering } from '../views/vpc.ts';
import { releaseAddress } from './public-ips.ts';
import { scopedRows } from './scoped-rows.ts';
import { ownerOf } from './virtual-machine-deploy.ts';

function existing(call: Call, id: string): Vpc {
  const vpc = call.state.vpcs.get(id);
  if (!vpc || vpc.removed !== undefined) throw invalidValue(`unable to find VPC id=${vpc?.internalId ?? id}`);
  checkAccess(call, vpc.accountId);
  return vpc;
}

function checkLimit({ state }: Call, ownerId: string): void {
  const owner = state.accounts.get(ownerId);
  const current = state.vpcs.by('accountId', ownerId).filter((vpc) => vpc.removed === undefined).length;
  if (owner?.type === 'admin' || !isReached(state.settings.maxAccountVpcs, current)) return;
  throw resourceAllocation(`Maximum number of VPCs for account: ${owner?.name} has been exceeded.`);
}

/** The largest frame that the zone's physical networks carry by default (`vr.public.interface.mtu`). */
const LARGEST_MTU = 1500;
const SMALLEST_MTU = 68;

/** Too large becomes the largest, as on the server; less than IPv4 needs is refused. */
function readMtu(mtu: number): number {
  if (mtu < SMALLEST_MTU) throw invalidValue('Invalid MTU set on the public interface of the VPC: too small');
  return Math.min(mtu, LARGEST_MTU);
}

function shown(call: Call, id: string): { readonly vpc: ReturnType<typeof showVpc> } {
  const vpc = call.state.vpcs.get(id);
  if (!vpc) throw unexpected('Failed to create VPC');
  return { vpc: showVpc(vpc, call) };
}

export const vpcCommands = [
  list({
    name: 'listVPCs',
    description: 'Lists VPCs',
    item: 'vpc',
    parameters: {
      ...PAGE,
      ...SCOPE,
      id: { type: 'uuid', of: 'vpc' },
      zoneid: { type: 'uuid', of: 'zone' },
      name: { type: 'string' },
      displaytext: { type: 'string' },
      cidr: { type: 'string' },
      vpcofferingid: { type: 'uuid', of: 'vpc-offering' },
      supportedservices: { type: 'list' },
      state: { type: 'string' },
      restartrequired: { type: 'boolean' },
    },
    select: (call, values) =>
      scopedRows(call, call.state.vpcs, values)
        .filter(
          (vpc) =>
            vpc.removed === undefined &&
            (values.zoneid === undefined || vpc.zoneId === values.zoneid) &&
            (values.name === undefined || like(vpc.name, values.name)) &&
            (values.displaytext === undefined || like(vpc.displaytext, values.displaytext)) &&
            (values.keyword === undefined || like(vpc.name, values.keyword) || like(vpc.displaytext, values.keyword)) &&
            (values.cidr === undefined || vpc.cidr === values.cidr) &&
            (values.vpcofferingid === undefined || vpc.offeringId === values.vpcofferingid) &&
            (values.state === undefined || vpc.state.toLowerCase() === values.state.toLowerCase()) &&
            (values.restartrequired === undefined || vpc.restartRequired === values.restartrequired) &&
            offers(call, vpc, values.supportedservices),
        )
        .toReversed(),
    show: showVpc,
  }),
  create({
    name: 'createVPC',
    description: 'Creates a VPC',
    commandClass: 'user.vpc.CreateVPCCmd',
    commandClassByRoot: 'admin.vpc.CreateVPCCmdByAdmin',
    instanceType: 'None',
    namesInstance: false,
    event: 'VPC.CREATE',
    parameters: {
      name: { type: 'string', required: true },
      displaytext: { type: 'string', requiredBefore: '4.18' },
      cidr: { type: 'string', required: true },
      vpcofferingid: { type: 'uuid', of: 'vpc-offering', required: true },
      zoneid: { type: 'uuid', of: 'zone', required: true },
      account: { type: 'string' },
      domainid: { type: 'uuid', of: 'domain' },
      projectid: { type: 'uuid', of: 'project' },
      networkdomain: { type: 'string' },
      start: { type: 'boolean' },
      publicmtu: { type: 'integer', since: '4.18' },
      dns1: { type: 'string', since: '4.18' },
      dns2: { type: 'string', since: '4.18' },
      sourcenatipaddress: { type: 'string', since: '4.19' },
    },
    create: (call, values) => {
      const { state, random, clock } = call;
      const ownerId = ownerOf(call, values);
      checkLimit(call, ownerId);
      if (!parseBlock(values.cidr)) throw invalidValue(`Invalid CIDR specified ${values.cidr}`);
      const owner = state.accounts.get(ownerId);
      const networkDomain = values.networkdomain ?? (owner && networkDomainOf(state, owner));
      return state.vpcs.add({
        id: random.uuid(),
        name: values.name,
        displaytext: values.displaytext ?? values.name,
        accountId: ownerId,
        zoneId: values.zoneid,
        cidr: values.cidr,
        offeringId: values.vpcofferingid,
        ...(networkDomain !== undefined && { networkDomain }),
        ...nameServersOf(values),
        ...sourceNatOf(call, values),
        ...(values.publicmtu !== undefined && { publicMtu: readMtu(values.publicmtu) }),
        state: 'Enabled',
        restartRequired: false,
        created: clock.now(),
      }).id;
    },
    run: async (call, { start = true }, id, job) => {
      await job.work();
      const vpc = existing(call, id);
      if (start) startVpcRouter(call, vpc);
      return shown(call, id);
    },
  }),
  asynchronous({
    name: 'updateVPC',
    description: 'Updates a VPC',
    commandClass: 'user.vpc.UpdateVPCCmd',
    instanceType: 'None',
    event: 'VPC.UPDATE',
    parameters: {
      id: { type: 'uuid', of: 'vpc', required: true },
      name: { type: 'string' },
      displaytext: { type: 'string' },
    },
    run: async (call, { id, name, displaytext }, job) => {
      existing(call, id);
      await job.work();
      call.state.vpcs.update(id, {
        ...(name !== undefined && { name }),
        ...(displaytext !== undefined && { displaytext }),
      });
      return shown(call, id);
    },
  }),
  asynchronous({
    name: 'deleteVPC',
    description: 'Deletes a VPC',
    commandClass: 'user.vpc.DeleteVPCCmd',
    instanceType: 'None',
    event: 'VPC.DELETE',
    parameters: { id: { type: 'uuid', of: 'vpc', required: true } },
    run: async (call, { id }, job) => {
      const { state, clock } = call;
      const vpc = existing(call, id);
      const tiers = state.networks.by('vpcId', id).filter((tier) => tier.removed === undefined);
      if (tiers.length > 0)
        throw invalidValue(
          `Can't delete VPC [VPC [${vpc.internalId}-${vpc.name}] as its used by ${tiers.length} networks`,
        );
      await job.work();
      for (const ip of state.publicIps.by('vpcId', id)) releaseAddress(call, ip.id);
      for (const router of state.routers.by('home', id)) state.routers.delete(router.id);
      for (const acl of state.aclLists.by('vpcId', id)) {
        for (const item of state.aclItems.by('listId', acl.id)) state.aclItems.delete(item.id);
        state.aclLists.delete(acl.id);
      }
      state.vpcs.update(id, { state: 'Inactive', removed: clock.now() });
      return { success: true };
    },
  }),
  asynchronous({
    name: 'restartVPC',
    description: 'Restarts a VPC',
    commandClass: 'user.vpc.RestartVPCCmd',
    instanceType: 'None',
    event: 'VPC.RESTART',
    parameters: { id: { type: 'uuid', of: 'vpc', required: true }, cleanup: { type: 'boolean' } },
    run: async (call, { id }, job) => {
      const vpc = existing(call, id);
      await job.work();
      for (const router of call.state.routers.by('home', id))
        call.state.routers.update(router.id, { state: 'Running' });
      startVpcRouter(call, vpc);
      return { success: true };
    },
  }),
  list({
    name: 'listVPCOfferings',
    description: 'Lists VPC offerings',
    item: 'vpcoffering',
    parameters: {
      ...PAGE,
      id: { type: 'uuid', of: 'vpc-offering' },
      name: { type: 'string' },
      displaytext: { type: 'string' },
      isdefault: { type: 'boolean' },
      state: { type: 'string' },
      zoneid: { type: 'uuid', of: 'zone' },
    },
    select: (call, { id, name, keyword, isdefault, state }) =>
      call.state.vpcOfferings.filter(
        (offering) =>
          (id === undefined || offering.id === id) &&
          (name === undefined || like(offering.name, name)) &&
          (keyword === undefined || like(offering.name, keyword)) &&
          (isdefault === undefined || offering.isDefault === isdefault) &&
          (state === undefined || offering.state.toLowerCase() === state.toLowerCase()),
      ),
    show: showVpcOffering,
  }),
];

function offers({ state }: Call, vpc: Vpc, services: readonly string[] | undefined): boolean {
  const offered = state.vpcOfferings.get(vpc.offeringId)?.services.map((service) => service.name.toLowerCase());
  return services === undefined || services.every((service) => offered?.includes(service.toLowerCase()));
}
