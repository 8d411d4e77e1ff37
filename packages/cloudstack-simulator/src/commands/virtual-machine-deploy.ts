import { checkAccess, inDomain, projectOf } from '../access.ts';
import { invalidValue, serverError, unexpected } from '../api-error.ts';
import type { Call } from '../call.ts';
import { sameText } from '../collation.ts';
import { create, sync } from '../command.ts';
import { makeNics, type NicRequest } from '../operations/nics.ts';
import { setState } from '../operations/virtual-machines.ts';
import type { MapEntry } from '../parameter.ts';
import { isReached } from '../settings.ts';
import { findAccount } from '../scope.ts';
import type { Network, VirtualMachine } from '../state.ts';
import { machine, beginStart, endStart, machineQueue, refuseExpunged, shownMachine } from './virtual-machines.ts';
import { showVirtualMachine } from '../views/virtual-machine.ts';

interface Deployment {
  readonly zoneid: string;
  readonly serviceofferingid: string;
  readonly templateid: string;
  readonly name?: string | undefined;
  readonly displayname?: string | undefined;
  readonly account?: string | undefined;
  readonly domainid?: string | undefined;
  readonly projectid?: string | undefined;
  readonly networkids?: readonly string[] | undefined;
  readonly iptonetworklist?: readonly MapEntry[] | undefined;
  readonly ipaddress?: string | undefined;
  readonly macaddress?: string | undefined;
  readonly group?: string | undefined;
  readonly keypair?: string | undefined;
  readonly userdata?: string | undefined;
  readonly customid?: string | undefined;
  readonly details?: readonly MapEntry[] | undefined;
  readonly rootdisksize?: number | undefined;
}

const HOST_NAME = /^[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

function checkName(name: string): void {
  if (HOST_NAME.test(name)) return;
  throw invalidValue(
    "Invalid name. Vm name can contain ASCII letters 'a' through 'z', the digits '0' through '9', and the hyphen ('-'), must be between 1 and 63 characters long, and can't start or end with \"-\" and can't start with digit",
  );
}

export function ownerOf(call: Call, values: Pick<Deployment, 'account' | 'domainid' | 'projectid'>): string {
  if (values.account !== undefined) return findAccount(call, values.account, values.domainid);
  const project = values.projectid === undefined ? undefined : call.state.projects.get(values.projectid);
  return project?.accountId ?? call.caller.account.id;
}

function nicRequests(call: Call, values: Deployment, ownerId: string): NicRequest[] {
  const mapped = values.iptonetworklist;
  if (mapped) {
    return mapped.map(({ networkid = '', ip, ipv6, mac }) => ({
      network: usable(call, networkid, ownerId),
      ipAddress: ip,
      ip6Address: ipv6,
      macAddress: mac,
    }));
  }
  const ids = values.networkids ?? [onlyNetwork(call, values.zoneid, ownerId)];
  return ids.map((id, index) => ({
    network: usable(call, id, ownerId),
    ...(index === 0 && { ipAddress: values.ipaddress, macAddress: values.macaddress }),
  }));
}

/** Without networks the account's only isolated one is taken. */
function onlyNetwork({ state }: Call, zoneId: string, ownerId: string): string {
  const own = state.networks
    .by('accountId', ownerId)
    .filter((one) => one.zoneId === zoneId && one.removed === undefined && one.guestType === 'Isolated' && !one.vpcId);
  const [network, ...others] = own;
  if (network && others.length === 0) return network.id;
  if (network)
    throw invalidValue('More than 1 default Isolated networks are found for account; please specify networkIds');
  throw invalidValue('Unable to find a default Isolated network for the account; please specify networkIds');
}

function usable(call: Call, id: string, ownerId: string): Network {
  const network = call.state.networks.get(id);
  if (!network || network.removed !== undefined) throw invalidValue('Unable to find network by id 1');
  const { state } = call;
  if (network.aclType === 'Domain') {
    const domainId = state.accounts.get(ownerId)?.domainId ?? '';
    if (network.domainId === undefined || !inDomain(state, domainId, network.domainId)) checkAccess(call, '');
    return network;
  }
  checkAccess(call, network.accountId);
  if (network.accountId !== ownerId && projectOf(state, network.accountId) !== projectOf(state, ownerId)) {
    checkAccess(call, '');
  }
  return network;
}

function checkUniqueName({ state }: Call, name: string, networks: readonly Network[]): void {
  const domains = new Set(networks.map((network) => network.networkDomain));
  for (const network of networks) {
    const siblings = state.virtualMachines.by('networkId', network.id);
    if (!domains.has(network.networkDomain) || !siblings.some((vm) => sameText(vm.name, name))) continue;
    throw invalidValue(
      `The vm with hostName ${name} already exists in the network domain: ${network.networkDomain}; network=${network.name}`,
    );
  }
}

function checkLimit({ state }: Call, ownerId: string): void {
  const owner = state.accounts.get(ownerId);
  const limit = state.settings.maxAccountVirtualMachines;
  const current = state.virtualMachines
    .by('accountId', ownerId)
    .filter((vm) => vm.removed === undefined && vm.state !== 'Destroyed' && vm.state !== 'Error').length;
  if (owner?.type === 'admin' || !isReached(limit, current)) return;
  const domain = state.domains.get(owner?.domainId ?? '')?.internalId;
  throw serverError(
    535,
    `Maximum amount of resources of Type = 'user_vm', tag = 'null' for Account Name = ${owner?.name} in Domain Id = ${domain} is exceeded: Account Resource Limit = ${limit}, Current Account Resource Amount = ${current}, Current Account Resource Reservation = 0, Requested Resource Amount = 1.`,
  );
}

/** Settings of the machine; the size of its root disk in GB is one of them. */
function detailsOf({ details = [], rootdisksize }: Deployment): Readonly<Record<string, string>> {
  if (rootdisksize !== undefined && rootdisksize <= 0) {
    throw invalidValue('Root disk size should be a positive number.');
  }
  return {
    ...Object.assign({}, ...details),
    ...(rootdisksize !== undefined && { rootdisksize: String(rootdisksize) }),
    deployvm: 'true',
  };
}

function deploy(call: Call, values: Deployment): string {
  const { state, random, clock } = call;
  const ownerId = ownerOf(call, values);
  const id = values.customid ?? random.uuid();
  const name = values.name ?? `VM-${id}`;
  checkName(name);
  const requests = nicRequests(call, values, ownerId);
  checkLimit(call, ownerId);
  checkUniqueName(
    call,
    name,
    requests.map((request) => request.network),
  );
  const vm = state.virtualMachines.add({
    id,
    name,
    displayname: values.displayname ?? name,
    accountId: ownerId,
    userId: call.caller.user.id,
    zoneId: values.zoneid,
    state: 'Stopped',
    serviceOfferingId: values.serviceofferingid,
    templateId: values.templateid,
    nics: makeNics(call, requests),
    ...(values.group !== undefined && { group: values.group }),
    ...(values.keypair !== undefined && { keypair: values.keypair }),
    ...(values.userdata !== undefined && { userdata: values.userdata }),
    details: detailsOf(values),
    haEnabled: false,
    created: clock.now(),
  });
  return vm.id;
}

/** Memory that no host has. */
const TOO_MUCH_MEMORY = 1024 * 1024;

function hasCapacity({ state }: Call, vm: VirtualMachine): boolean {
  const offering = state.serviceOfferings.get(vm.serviceOfferingId);
  const up = state.hosts.find((host) => host.zoneId === vm.zoneId && host.state === 'Up');
  return up !== undefined && (offering?.memory ?? 0) < TOO_MUCH_MEMORY;
}

function noCapacity(call: Call, vm: VirtualMachine): Error {
  const tried = call.state.hosts.find((host) => host.zoneId === vm.zoneId)?.id;
  if (tried !== undefined) call.state.virtualMachines.update(vm.id, { lastHostId: tried });
  setState(call, vm.id, 'Error');
  const accountId = call.state.accounts.get(vm.accountId)?.internalId;
  const instance = JSON.stringify({
    id: vm.internalId,
    instanceName: `i-${accountId}-${vm.internalId}-VM`,
    type: 'User',
    uuid: vm.id,
  });
  return unexpected(
    `Unable to start a VM [${vm.id}] due to [Unable to create a deployment for VM instance ${instance}].`,
  );
}

export const virtualMachineDeployCommands = [
  create({
    name: 'deployVirtualMachine',
    description:
      'Creates and automatically starts a virtual machine based on a service offering, disk offering, and template.',
    commandClass: 'user.vm.DeployVMCmd',
    commandClassByRoot: 'admin.vm.DeployVMCmdByAdmin',
    instanceType: 'VirtualMachine',
    event: 'VM.CREATE',
    parameters: {
      zoneid: { type: 'uuid', of: 'zone', required: true },
      serviceofferingid: { type: 'uuid', of: 'service-offering', required: true },
      templateid: { type: 'uuid', of: 'template', required: true },
      name: { type: 'string' },
      displayname: { type: 'string' },
      account: { type: 'string' },
      domainid: { type: 'uuid', of: 'domain' },
      projectid: { type: 'uuid', of: 'project' },
      networkids: { type: 'uuid-list', of: 'network' },
      iptonetworklist: { type: 'map' },
      ipaddress: { type: 'string' },
      macaddress: { type: 'string' },
      group: { type: 'string' },
      keypair: { type: 'string' },
      userdata: { type: 'string', length: 1_048_576 },
      startvm: { type: 'boolean' },
      rootdisksize: { type: 'long', since: '4.4' },
      affinitygroupids: { type: 'uuid-list', of: 'not-simulated' },
      securitygroupids: { type: 'uuid-list', of: 'not-simulated' },
      hostid: { type: 'uuid', of: 'host', rootOnly: true },
      details: { type: 'map' },
      customid: { type: 'string', rootOnly: true },
    },
    create: deploy,
    queue: (call, _, id) => machineQueue(call, { id }),
    run: async (call, { startvm = true, hostid }, id, job) => {
      if (!startvm) {
        await job.work();
        return shownMachine(call, id);
      }
      const vm = machine(call, id);
      if (hasCapacity(call, vm)) beginStart(call, id, hostid);
      else setState(call, id, 'Starting');
      await job.work();
      if (!hasCapacity(call, vm)) throw noCapacity(call, vm);
      endStart(call, id);
      return shownMachine(call, id);
    },
  }),
  sync({
    name: 'recoverVirtualMachine',
    description: 'Recovers a virtual machine.',
    event: 'VM.RECOVER',
    parameters: { id: { type: 'uuid', of: 'virtual-machine', required: true } },
    run: (call, { id }) => {
      refuseExpunged(call, { id });
      const vm = machine(call, id);
      if (vm.state !== 'Destroyed')
        throw invalidValue(`VM ${vm.name} is not in the Destroyed state and can't be recovered`);
      const { destroyed: _, ...back } = vm;
      call.state.virtualMachines.replace(back);
      setState(call, id, 'Stopped');
      return shown(call, id);
    },
  }),
  sync({
    name: 'updateVirtualMachine',
    description: 'Updates properties of a virtual machine.',
    event: 'VM.UPDATE',
    parameters: {
      id: { type: 'uuid', of: 'virtual-machine', required: true },
      displayname: { type: 'string' },
      group: { type: 'string' },
      haenable: { type: 'boolean' },
      userdata: { type: 'string', length: 1_048_576 },
      name: { type: 'string', since: '4.3' },
    },
    run: (call, { id, ...values }) => {
      refuseExpunged(call, { id });
      machine(call, id);
      if (values.name !== undefined) checkName(values.name);
      call.state.virtualMachines.update(id, {
        ...(values.displayname !== undefined && { displayname: values.displayname }),
        ...(values.group !== undefined && { group: values.group }),
        ...(values.haenable !== undefined && { haEnabled: values.haenable }),
        ...(values.userdata !== undefined && { userdata: values.userdata }),
        ...(values.name !== undefined && { name: values.name }),
      });
      return shown(call, id);
    },
  }),
];

function shown(call: Call, id: string): { readonly virtualmachine: ReturnType<typeof showVirtualMachine> } {
  const vm = call.state.virtualMachines.get(id);
  if (!vm) throw unexpected('Failed to find virtual machine');
  return { virtualmachine: showVirtualMachine(vm, call) };
}
