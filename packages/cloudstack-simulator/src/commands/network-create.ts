import { checkAccess, projectOf } from '../access.ts';
import {
  addressToNumber,
  blockContains,
  blocksOverlap,
  numberToAddress,
  parseBlock,
  prefixLengthOf,
  netmaskOf,
} from '../addresses.ts';
import {
  cloudRuntime,
  invalidValue,
  permissionDenied,
  resourceAllocation,
  serverError,
  unexpected,
} from '../api-error.ts';
import { isRoot, type Call } from '../call.ts';
import { asynchronous, sync } from '../command.ts';
import { RouterRefusedError } from '../jobs.ts';
import {
  implementNetwork,
  nameServersOf,
  networkDomainOf,
  providerOf,
  removeNetwork,
  sourceNatOf,
} from '../operations/networks.ts';
import { routerOf } from '../router.ts';
import { isReached } from '../settings.ts';
import type { Network, NetworkOffering, State, Vpc } from '../state.ts';
import { showNetwork } from '../views/network.ts';
import { guestRange } from './guest-range.ts';
import { releaseAddress } from './public-ips.ts';
import { ownerOf } from './virtual-machine-deploy.ts';

interface Request {
  readonly name: string;
  readonly displaytext?: string | undefined;
  readonly networkofferingid: string;
  readonly zoneid: string;
  readonly gateway?: string | undefined;
  readonly netmask?: string | undefined;
  readonly startip?: string | undefined;
  readonly endip?: string | undefined;
  readonly vpcid?: string | undefined;
  readonly aclid?: string | undefined;
  readonly acltype?: string | undefined;
  readonly vlan?: string | undefined;
  readonly networkdomain?: string | undefined;
  readonly subdomainaccess?: boolean | undefined;
  readonly account?: string | undefined;
  readonly domainid?: string | undefined;
  readonly projectid?: string | undefined;
  readonly ip6gateway?: string | undefined;
  readonly ip6cidr?: string | undefined;
  readonly dns1?: string | undefined;
  readonly dns2?: string | undefined;
  readonly sourcenatipaddress?: string | undefined;
}

type Addressing = Pick<Network, 'gateway' | 'netmask' | 'cidr'>;

function addressing(call: Call, values: Request, offering: NetworkOffering): Addressing {
  if (offering.guestType === 'L2') return {};
  const { gateway, netmask } = values;
  if (gateway === undefined || netmask === undefined) {
    if (offering.guestType === 'Shared' || values.vpcid !== undefined) {
      throw invalidValue('Gateway/netmask should be specified when creating a network of this type');
    }
    return defaults(call.state.zones.get(values.zoneid)?.guestCidr ?? '10.1.1.0/24');
  }
  const length = prefixLengthOf(netmask);
  const block = length === undefined ? undefined : parseBlock(`${gateway}/${length}`);
  if (!block) throw invalidValue(`Invalid gateway ${gateway} or netmask ${netmask}`);
  return { gateway, netmask, cidr: `${numberToAddress(block.first)}/${length}` };
}

function defaults(cidr: string): Addressing {
  const block = parseBlock(cidr);
  return block ? { cidr, gateway: numberToAddress(block.first + 1), netmask: netmaskOf(block) } : {};
}

/** How the server's own texts name a network. */
function networkText(state: State, network: Network): string {
  const offering = state.networkOfferings.get(network.offeringId)?.internalId;
  return `Network {"id": ${network.internalId}, "name": "${network.name}", "uuid": "${network.id}", "networkofferingid": ${offering}}`;
}

function vpcText(vpc: Vpc): string {
  return `[VPC [${vpc.internalId}-${vpc.name}]`;
}

function checkTier(
  { state }: Call,
  vpc: Vpc,
  offering: NetworkOffering,
  { cidr = '', gateway = '' }: Addressing,
): void {
  const tiers = state.networks.by('vpcId', vpc.id).filter((tier) => tier.removed === undefined);
  if (tiers.length >= state.settings.maxTiersPerVpc) {
    throw cloudRuntime(`Number of networks per VPC cannot surpass [${state.settings.maxTiersPerVpc}].`);
  }
  const [inner, outer] = [parseBlock(cidr), parseBlock(vpc.cidr)];
  if (!inner || !outer || !blockContains(outer, inner)) {
    throw invalidValue(`Network cidr ${cidr} is not within vpc cidr ${vpc.cidr}`);
  }
  for (const tier of tiers) {
    const block = parseBlock(tier.cidr ?? '');
    if (!block || !blocksOverlap(inner, block)) continue;
    throw invalidValue(
      `Network cidr ${cidr} crosses other network cidr ${networkText(state, tier)} belonging to the same vpc ${vpcText(vpc)}`,
    );
  }
  if (addressToNumber(gateway) >= inner.first + inner.size) throw invalidValue(`Invalid gateway ${gateway}`);
  const balancing = tiers.find((tier) => tier.offeringId !== offering.id && publicBalancer(state, tier));
  if (balancing && offersPublicBalancer(offering)) {
    throw invalidValue(
      `Public LB service is already supported by network ${networkText(state, balancing)} in VPC ${vpcText(vpc)}`,
    );
  }
}

function publicBalancer(state: State, network: Network): boolean {
  const provider = providerOf(state, network, 'Lb');
  return provider !== undefined && provider !== 'InternalLbVm';
}

function offersPublicBalancer(offering: NetworkOffering): boolean {
  const balancer = offering.services.find((service) => service.name === 'Lb');
  return balancer !== undefined && balancer.providers[0] !== 'InternalLbVm';
}

function findVpc(call: Call, values: Request, offering: NetworkOffering): Vpc | undefined {
  if (values.vpcid === undefined) {
    if (offering.forVpc) throw invalidValue('Network offering can be used for VPC networks only');
    return undefined;
  }
  const vpc = call.state.vpcs.get(values.vpcid);
  if (!vpc || vpc.removed !== undefined) throw invalidValue(`Unable to find VPC by id ${values.vpcid}`);
  checkAccess(call, vpc.accountId);
  if (!offering.forVpc) throw invalidValue(`Network offering ${offering.name} can't be used for VPC networks`);
  return vpc;
}

function checkLimit({ state }: Call, ownerId: string): void {
  const owner = state.accounts.get(ownerId);
  const current = state.networks.by('accountId', ownerId).filter((network) => network.removed === undefined).length;
  if (owner?.type === 'admin' || !isReached(state.settings.maxAccountNetworks, current)) return;
  const what = projectOf(state, ownerId) ? 'project' : 'account';
  throw resourceAllocation(`Maximum number of networks for ${what}: ${owner?.name} has been exceeded.`);
}

function createNetwork(call: Call, values: Request): Network {
  const { state, random, clock } = call;
  const offering = state.networkOfferings.get(values.networkofferingid);
  if (offering?.state !== 'Enabled') {
    throw invalidValue('Failed to create network: the specified network offering is not in Enabled state');
  }
  const shared = offering.guestType === 'Shared';
  if (shared && !isRoot(call)) throw permissionDenied('Only Admin users can create shared networks');
  const vpc = findVpc(call, values, offering);
  const address = addressing(call, values, offering);
  if (vpc) checkTier(call, vpc, offering, address);
  const ownerId = vpc?.accountId ?? ownerOf(call, values);
  checkLimit(call, ownerId);
  const owner = state.accounts.get(ownerId);
  const domain = vpc?.networkDomain ?? values.networkdomain ?? (owner && networkDomainOf(state, owner));
  return state.networks.add({
    id: random.uuid(),
    name: values.name,
    displaytext: values.displaytext ?? values.name,
    accountId: ownerId,
    zoneId: values.zoneid,
    offeringId: offering.id,
    guestType: offering.guestType,
    ...sharing(call, values, shared),
    state: shared ? 'Setup' : 'Allocated',
    ...address,
    ...guestRange(values, address.cidr, offering),
    ...(values.ip6gateway !== undefined && { ip6Gateway: values.ip6gateway }),
    ...(values.ip6cidr !== undefined && { ip6Cidr: values.ip6cidr }),
    ...(values.vlan !== undefined && { vlan: Number(values.vlan) }),
    ...(domain !== undefined && offering.guestType !== 'L2' && { networkDomain: domain }),
    ...nameServersOf(values),
    ...sourceNatOf(call, values),
    ...(vpc && { vpcId: vpc.id }),
    ...(values.aclid !== undefined && { aclListId: values.aclid }),
    restartRequired: false,
    created: clock.now(),
  });
}

function sharing(
  call: Call,
  { acltype, domainid, subdomainaccess = true }: Request,
  shared: boolean,
): Pick<Network, 'aclType' | 'domainId' | 'subdomainAccess'> {
  if (!shared || acltype?.toLowerCase() === 'account') return { aclType: 'Account' };
  const root = call.state.domains.find((domain) => domain.path === 'ROOT')?.id;
  const domainId = domainid ?? root;
  return { aclType: 'Domain', ...(domainId !== undefined && { domainId }), subdomainAccess: subdomainaccess };
}

/** @throws ApiError 431 at once for a network that is gone. */
function existing(call: Call, id: string): Network {
  const network = call.state.networks.get(id);
  if (network?.removed === undefined && network) return network;
  throw invalidValue(`Network ID=${network?.internalId ?? id} doesn't exist`);
}

const COMMON = {
  instanceType: 'Network',
  check: (call: Call, { id }: { readonly id: string }): void => void existing(call, id),
  queue: (_: Call, { id }: { readonly id: string }): string => id,
} as const;

const ID = { id: { type: 'uuid', of: 'network', required: true } } as const;

export const networkCommands = [
  sync({
    name: 'createNetwork',
    description: 'Creates a network',
    event: 'NETWORK.CREATE',
    parameters: {
      name: { type: 'string', required: true },
      displaytext: { type: 'string', requiredBefore: '4.18' },
      networkofferingid: { type: 'uuid', of: 'network-offering', required: true },
      zoneid: { type: 'uuid', of: 'zone', required: true },
      physicalnetworkid: { type: 'uuid', of: 'physical-network' },
      gateway: { type: 'string' },
      netmask: { type: 'string' },
      startip: { type: 'string' },
      endip: { type: 'string' },
      networkdomain: { type: 'string' },
      account: { type: 'string' },
      projectid: { type: 'uuid', of: 'project' },
      domainid: { type: 'uuid', of: 'domain' },
      acltype: { type: 'string' },
      subdomainaccess: { type: 'boolean' },
      vpcid: { type: 'uuid', of: 'vpc' },
      aclid: { type: 'uuid', of: 'acl-list' },
      ip6gateway: { type: 'string' },
      ip6cidr: { type: 'string' },
      vlan: { type: 'string', rootOnly: true },
      dns1: { type: 'string', since: '4.18' },
      dns2: { type: 'string', since: '4.18' },
      sourcenatipaddress: { type: 'string', since: '4.19' },
    },
    run: (call, values) => ({ network: showNetwork(createNetwork(call, values), call) }),
  }),
  asynchronous({
    ...COMMON,
    name: 'deleteNetwork',
    description: 'Deletes a network',
    commandClass: 'user.network.DeleteNetworkCmd',
    event: 'NETWORK.DELETE',
    parameters: { ...ID, forced: { type: 'boolean' } },
    run: async (call, { id }, job) => {
      const network = existing(call, id);
      checkAccess(call, network.accountId);
      const inUse = call.state.virtualMachines.by('networkId', id).length > 0;
      await job.work();
      if (inUse) throw unexpected('Failed to delete network');
      removeNetwork(call, network, (ip) => releaseAddress(call, ip));
      return { success: true };
    },
  }),
  asynchronous({
    ...COMMON,
    name: 'updateNetwork',
    description: 'Updates a network',
    commandClass: 'user.network.UpdateNetworkCmd',
    commandClassByRoot: 'admin.network.UpdateNetworkCmdByAdmin',
    event: 'NETWORK.UPDATE',
    parameters: {
      ...ID,
      name: { type: 'string' },
      displaytext: { type: 'string' },
      networkdomain: { type: 'string' },
      networkofferingid: { type: 'uuid', of: 'network-offering' },
    },
    run: async (call, { id, name, displaytext, networkdomain, networkofferingid }, job) => {
      checkAccess(call, existing(call, id).accountId);
      await job.work();
      const network = call.state.networks.update(id, {
        ...(name !== undefined && { name }),
        ...(displaytext !== undefined && { displaytext }),
        ...(networkdomain !== undefined && { networkDomain: networkdomain }),
        ...(networkofferingid !== undefined && { offeringId: networkofferingid }),
      });
      if (!network) throw unexpected('Failed to update network');
      return { network: showNetwork(network, call) };
    },
  }),
  asynchronous({
    ...COMMON,
    name: 'restartNetwork',
    description: 'Restarts the network',
    commandClass: 'user.network.RestartNetworkCmd',
    event: 'NETWORK.RESTART',
    parameters: { ...ID, cleanup: { type: 'boolean' }, makeredundant: { type: 'boolean' } },
    run: async (call, { id }, job) => {
      const network = existing(call, id);
      checkAccess(call, network.accountId);
      try {
        await job.apply(id);
      } catch (refusal) {
        if (!(refusal instanceof RouterRefusedError)) throw refusal;
        throw serverError(530, 'Failed to restart network');
      }
      const router = routerOf(call.state, network);
      if (router) call.state.routers.update(router.id, { state: 'Running' });
      else implementNetwork(call, id);
      call.state.networks.update(id, { restartRequired: false });
      return { success: true };
    },
  }),
];
