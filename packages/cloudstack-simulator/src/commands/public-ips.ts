import { checkAccess, denied, mayOperate, projectOf } from '../access.ts';
import { accountLimit, ApiError, cloudRuntime, insufficientCapacity, invalidValue, unexpected } from '../api-error.ts';
import { isRoot, type Call } from '../call.ts';
import { asynchronous, create } from '../command.ts';
import { RouterRefusedError, type JobHandle } from '../jobs.ts';
import { deleteFirewall, deleteLoadBalancer } from '../operations/load-balancers.ts';
import { hasService } from '../operations/networks.ts';
import {
  freePublicIp,
  freeUp,
  hasSourceNat,
  inQuarantine,
  takePublicIp,
  type Placement,
} from '../operations/public-ips.ts';
import { isReached } from '../settings.ts';
import { findAccount } from '../scope.ts';
import type { Network, PublicIp, State, Vpc } from '../state.ts';
import { showPublicIp } from '../views/public-ip.ts';

interface Request {
  readonly account?: string | undefined;
  readonly domainid?: string | undefined;
  readonly projectid?: string | undefined;
  readonly networkid?: string | undefined;
  readonly vpcid?: string | undefined;
  readonly zoneid?: string | undefined;
  readonly ipaddress?: string | undefined;
  readonly isportable?: boolean | undefined;
}

/** Where a new address goes, and who pays for it. */
interface Target {
  readonly ownerId: string;
  readonly zoneId: string;
  readonly network?: Network;
  readonly vpc?: Vpc;
}

function findTarget(call: Call, values: Request): Target {
  const { state } = call;
  const explicit = explicitOwner(call, values);
  if (values.vpcid !== undefined) {
    const vpc = state.vpcs.get(values.vpcid);
    if (!vpc || vpc.removed !== undefined) throw invalidValue('Unable to find VPC by id specified');
    checkAccess(call, vpc.accountId);
    return { ownerId: explicit ?? vpc.accountId, zoneId: vpc.zoneId, vpc };
  }
  if (values.networkid !== undefined) {
    const network = usableNetwork(call, values.networkid);
    return { ownerId: explicit ?? network.accountId, zoneId: network.zoneId, network };
  }
  if (values.zoneid === undefined) {
    throw invalidValue(
      'Unable to figure out zone to assign IP to. Please specify either zoneId, or networkId, or vpcId in the call',
    );
  }
  if (!state.zones.get(values.zoneid)) throw invalidValue('Unable to find zone by id specified');
  const ownerId = explicit ?? call.caller.account.id;
  const network = onlyNetwork(call, ownerId, values.zoneid);
  return { ownerId, zoneId: values.zoneid, network };
}

function explicitOwner(call: Call, { account, domainid, projectid }: Request): string | undefined {
  if (account !== undefined) return findAccount(call, account, domainid);
  const project = projectid === undefined ? undefined : call.state.projects.get(projectid);
  return project?.accountId;
}

const ADDRESS_SERVICES = ['Firewall', 'SourceNat', 'StaticNat', 'PortForwarding', 'Lb'];

function usableNetwork(call: Call, id: string): Network {
  const network = call.state.networks.get(id);
  if (!network || network.removed !== undefined) throw invalidValue('Unable to find network by network id specified');
  if (network.guestType === 'Shared') {
    if (ADDRESS_SERVICES.some((service) => hasService(call.state, network, service))) return network;
    if (!isRoot(call)) throw denied(call);
    throw invalidValue(
      'Associate IP address can only be called on the shared networks in the advanced zone with Firewall/Source Nat/Static Nat/Port Forwarding/Load balancing services enabled',
    );
  }
  checkAccess(call, network.accountId);
  return network;
}

function onlyNetwork({ state }: Call, ownerId: string, zoneId: string): Network {
  const own = state.networks
    .by('accountId', ownerId)
    .filter((one) => one.zoneId === zoneId && one.removed === undefined && one.guestType === 'Isolated' && !one.vpcId);
  const [network, ...others] = own;
  if (others.length > 0) throw invalidValue('Account has more than one isolated network in the zone');
  if (network) return network;
  const account = state.accounts.get(ownerId);
  const domain = account && state.domains.get(account.domainId);
  throw invalidValue(
    `Account name=${account?.name} domain=${domain?.name} doesn't have virtual networks in zone=${state.zones.get(zoneId)?.name}`,
  );
}

function checkZone(call: Call, zoneId: string): void {
  const zone = call.state.zones.get(zoneId);
  if (!zone || zone.allocationState === 'Enabled' || isRoot(call)) return;
  const text = `Zone {"id": "${zone.internalId}", "name": "${zone.name}", "uuid": "${zone.id}"}`;
  throw new ApiError(`Cannot allocate IP addresses, ${text} is currently disabled.`, {
    status: 531,
    reason: 4365,
    uuids: [{ uuid: zone.id, description: 'zoneId' }],
  });
}

function checkLimit({ state }: Call, ownerId: string): void {
  const project = projectOf(state, ownerId);
  const limit = project ? state.settings.maxProjectPublicIps : state.settings.maxAccountPublicIps;
  const owner = state.accounts.get(ownerId);
  if (owner?.type === 'admin' || !isReached(limit, state.publicIps.by('accountId', ownerId).length)) return;
  throw accountLimit(`Maximum number of public IP addresses for account: ${owner?.name} has been exceeded.`);
}

function associate(call: Call, values: Request): string {
  const target = findTarget(call, values);
  checkZone(call, target.zoneId);
  checkLimit(call, target.ownerId);
  const ip = pickAddress(call, target, values);
  return takePublicIp(call, ip, { ...placement(target), state: 'Allocating' }).id;
}

function pickAddress({ state, clock }: Call, { zoneId, ownerId }: Target, request: Request): PublicIp {
  const { ipaddress: address, isportable = false } = request;
  if (address !== undefined) {
    const [wanted] = state.publicIps.by('address', address);
    if (wanted && inQuarantine(wanted, ownerId, clock.now())) {
      throw insufficientCapacity(`Failed to allocate public IP address [${address}] as it is in quarantine.`);
    }
  }
  const ip = freePublicIp(
    state,
    zoneId,
    address,
    (one) => one.isPortable === isportable && !inQuarantine(one, ownerId, clock.now()),
  );
  if (!ip) throw insufficientCapacity('Insufficient address capacity');
  return ip;
}

function placement({ ownerId, zoneId, vpc }: Target): Placement {
  return { accountId: ownerId, zoneId, ...(vpc && { vpcId: vpc.id }) };
}

/** Puts an address that is allocated to its owner into the network. @throws ApiError for what only the job finds. */
async function associateToNetwork(call: Call, id: string, network: Network, job: JobHandle): Promise<void> {
  const { state } = call;
  if (network.vpcId !== undefined) {
    throw invalidValue(
      "Can't assign ip to the network directly when network belongs to VPC.Specify vpcId to associate ip address to VPC",
    );
  }
  if (ownersDiffer(call, id, network)) {
    throw unexpected(`Unable to use network with id= ${network.id}, permission denied`);
  }
  if (network.guestType === 'Isolated' && !hasService(state, network, 'SourceNat')) {
    throw invalidValue(
      'In zone of type Advanced ip address can be associated only to the network of guest type Isolated with the SourceNat enabled',
    );
  }
  await ignoringRefusal(job.apply(network.id));
  const isSourceNat = network.guestType === 'Isolated' && !hasSourceNat(state, { networkId: network.id });
  state.publicIps.update(id, { state: 'Allocated', networkId: network.id, isSourceNat });
}

/** An address that a project was to take into an account's network: the real server never gets it back. */
function ownersDiffer({ state }: Call, id: string, network: Network): boolean {
  return network.aclType === 'Account' && state.publicIps.get(id)?.accountId !== network.accountId;
}

/** Addresses are given and taken even if the router refuses. */
async function ignoringRefusal(applying: Promise<void>): Promise<void> {
  try {
    await applying;
  } catch (refusal) {
    if (!(refusal instanceof RouterRefusedError)) throw refusal;
  }
}

/** The network that the call means, found again in the job. */
function networkOf(call: Call, values: Request): Network | undefined {
  if (values.vpcid !== undefined) return undefined;
  if (values.networkid !== undefined) return call.state.networks.get(values.networkid);
  return onlyNetwork(call, explicitOwner(call, values) ?? call.caller.account.id, values.zoneid ?? '');
}

function shown(call: Call, id: string): { readonly ipaddress: ReturnType<typeof showPublicIp> } {
  const ip = call.state.publicIps.get(id);
  if (!ip) throw unexpected('Failed to assign ip address');
  return { ipaddress: showPublicIp({ ...ip, state: call.profile.associatedState }, call) };
}

/** Releases an address with everything on it. */
export function releaseAddress(call: Call, id: string): void {
  const { state } = call;
  for (const rule of state.loadBalancerRules.by('publicIpId', id)) deleteLoadBalancer(state, rule);
  for (const rule of state.portForwardingRules.by('publicIpId', id)) state.portForwardingRules.delete(rule.id);
  for (const rule of state.firewallRules.by('publicIpId', id)) deleteFirewall(state, rule.id);
  freeUp(call, id);
}

function addressToRelease(
  state: State,
  values: { readonly id?: string | undefined; readonly ipaddress?: string | undefined },
): PublicIp {
  if (values.id !== undefined && values.ipaddress !== undefined) {
    throw invalidValue('id parameter is mutually exclusive with ipaddress parameter');
  }
  const ip =
    values.id === undefined ? state.publicIps.by('address', values.ipaddress ?? '')[0] : state.publicIps.get(values.id);
  if (!ip) throw invalidValue('Please specify either IP address or IP address ID');
  return ip;
}

export const publicIpCommands = [
  create({
    name: 'associateIpAddress',
    description: 'Acquires and associates a public IP to an account.',
    commandClass: 'user.address.AssociateIPAddrCmd',
    commandClassByRoot: 'admin.address.AssociateIPAddrCmdByAdmin',
    instanceType: 'IpAddress',
    event: 'NET.IPASSIGN',
    parameters: {
      account: { type: 'string' },
      domainid: { type: 'uuid', of: 'domain' },
      zoneid: { type: 'uuid', of: 'zone' },
      networkid: { type: 'uuid', of: 'network' },
      projectid: { type: 'uuid', of: 'project' },
      vpcid: { type: 'uuid', of: 'vpc' },
      isportable: { type: 'boolean' },
      fordisplay: { type: 'boolean', rootOnly: true },
      regionid: { type: 'integer' },
      ipaddress: { type: 'string', since: '4.13' },
    },
    create: associate,
    queue: (call, values) => networkOf(call, values)?.id,
    undo: freeUp,
    run: async (call, values, id, job) => {
      const network = networkOf(call, values);
      try {
        if (network) await associateToNetwork(call, id, network, job);
        else {
          await job.work();
          call.state.publicIps.update(id, { state: 'Allocated' });
        }
      } catch (thrown) {
        if (network && ownersDiffer(call, id, network)) call.state.publicIps.update(id, { state: 'Releasing' });
        else freeUp(call, id);
        throw thrown;
      }
      return shown(call, id);
    },
  }),
  asynchronous({
    name: 'disassociateIpAddress',
    description: 'Disassociates an IP address from the account.',
    commandClass: 'user.address.DisassociateIPAddrCmd',
    instanceType: 'IpAddress',
    event: 'NET.IPRELEASE',
    parameters: {
      id: { type: 'uuid', of: 'public-ip' },
      ipaddress: { type: 'string', since: '4.19' },
    },
    check: (call, values) => {
      const ip = addressToRelease(call.state, values);
      if (ip.accountId === undefined) throw cloudRuntime(`Ip address ${ip.address} is not allocated`);
    },
    queue: (call, values) => addressToRelease(call.state, values).networkId,
    instanceId: (call, values) => addressToRelease(call.state, values).id,
    run: async (call, values, job) => {
      const { state } = call;
      const ip = addressToRelease(state, values);
      if (ip.accountId === undefined) throw unexpected(`Ip address ${ip.address} is not allocated`);
      if (!mayOperate(call, ip.accountId)) throw denied(call);
      if (ip.isSystem) throw invalidValue("Ip address is system and can't be released");
      const network = ip.networkId === undefined ? undefined : state.networks.get(ip.networkId);
      if (ip.isSourceNat && (ip.vpcId !== undefined || network?.state === 'Implemented')) {
        throw unexpected('ip address is used for source nat purposes and can not be disassociated.');
      }
      const autoscaled = state.loadBalancerRules.by('publicIpId', ip.id).some((rule) => rule.autoscaleGroupId);
      if (autoscaled) throw unexpected('Failed to disassociate ip address: a rule is used by an Autoscale VM group');
      await ignoringRefusal(ip.networkId === undefined ? job.work() : job.apply(ip.networkId));
      releaseAddress(call, ip.id);
      return { success: true };
    },
  }),
];
