import { invalidValue, unexpected } from '../api-error.ts';
import { checkAccess } from '../access.ts';
import type { Call } from '../call.ts';
import { asynchronous, create, list } from '../command.ts';
import type { JsonObject } from '../json.ts';
import { freeGuestAddress, usedAddresses } from '../operations/guest-addresses.ts';
import { implementNetwork } from '../operations/networks.ts';
import { makeNic } from '../operations/nics.ts';
import { PAGE } from '../parameter.ts';
import type { Nic, SecondaryIp, State, VirtualMachine } from '../state.ts';
import { showNic } from '../views/virtual-machine.ts';
import { machine, machineQueue, shownMachine } from './virtual-machines.ts';

interface Found {
  readonly vm: VirtualMachine;
  readonly nic: Nic;
}

function findNic(state: State, matches: (nic: Nic) => boolean): Found | undefined {
  for (const vm of state.virtualMachines.values()) {
    const nic = vm.removed === undefined ? vm.nics.find(matches) : undefined;
    if (nic) return { vm, nic };
  }
  return undefined;
}

function ownNic(call: Call, matches: (nic: Nic) => boolean): Found {
  const found = findNic(call.state, matches);
  if (!found) throw invalidValue('There is no nic for the id specified');
  checkAccess(call, found.vm.accountId);
  return found;
}

function replaceNic(state: State, { vm, nic }: Found, change: Partial<Nic>): void {
  const nics = vm.nics.map((one) => (one.id === nic.id ? { ...one, ...change } : one));
  state.virtualMachines.update(vm.id, { nics });
}

function showSecondary(nic: Nic, secondary: SecondaryIp): JsonObject {
  return { id: secondary.id, ipaddress: secondary.address, nicid: nic.id, networkid: nic.networkId };
}

const ID = { virtualmachineid: { type: 'uuid', of: 'virtual-machine', required: true } } as const;

const MACHINE = {
  instanceType: 'VirtualMachine',
  queue: (call: Call, values: { readonly virtualmachineid: string }) =>
    machineQueue(call, { id: values.virtualmachineid }),
  instanceId: (_: Call, values: { readonly virtualmachineid: string }) => values.virtualmachineid,
} as const;

export const nicCommands = [
  create({
    name: 'addIpToNic',
    description: 'Assigns secondary IP to NIC',
    commandClass: 'user.vm.AddIpToVmNicCmd',
    envelope: 'addiptovmnicresponse',
    instanceType: 'IpAddress',
    event: 'NIC.SECONDARY.IP.ASSIGN',
    parameters: { nicid: { type: 'uuid', of: 'nic', required: true }, ipaddress: { type: 'string' } },
    create: (call, { nicid, ipaddress }) => {
      const found = ownNic(call, (nic) => nic.id === nicid);
      const network = call.state.networks.get(found.nic.networkId);
      const taken = network && ipaddress !== undefined && usedAddresses(call.state, network).has(ipaddress);
      const address = ipaddress ?? (network && freeGuestAddress(call.state, network, nextTo(found.nic)));
      if (taken || address === undefined) throw unexpected('Unable to allocate secondary ip address');
      const secondary = { id: call.random.uuid(), address };
      replaceNic(call.state, found, { secondaryIps: [...found.nic.secondaryIps, secondary] });
      return secondary.id;
    },
    run: async (call, { nicid }, id, job) => {
      await job.work();
      const { nic } = ownNic(call, (one) => one.id === nicid);
      const secondary = nic.secondaryIps.find((one) => one.id === id);
      if (!secondary) throw unexpected('The secondary ip address is gone');
      return { nicsecondaryip: showSecondary(nic, secondary) };
    },
  }),
  asynchronous({
    name: 'removeIpFromNic',
    description: 'Removes secondary IP from the NIC.',
    commandClass: 'user.vm.RemoveIpFromVmNicCmd',
    event: 'NIC.SECONDARY.IP.UNASSIGN',
    parameters: { id: { type: 'uuid', of: 'secondary-ip', required: true } },
    run: async (call, { id }, job) => {
      const holds = (nic: Nic): boolean => nic.secondaryIps.some((one) => one.id === id);
      const { nic } = ownNic(call, holds);
      const address = nic.secondaryIps.find((one) => one.id === id)?.address;
      const rules = call.state.loadBalancerRules.by('networkId', nic.networkId);
      if (rules.some((rule) => rule.members.some((member) => member.address === address))) {
        throw invalidValue(`Can' remove the ip ${address}is associate with LB rule`);
      }
      await job.work();
      const found = ownNic(call, holds);
      replaceNic(call.state, found, { secondaryIps: found.nic.secondaryIps.filter((one) => one.id !== id) });
      return { success: true };
    },
  }),
  list({
    name: 'listNics',
    description: 'list the vm nics  IP to NIC',
    item: 'nic',
    parameters: {
      ...PAGE,
      ...ID,
      nicid: { type: 'uuid', of: 'nic' },
      networkid: { type: 'uuid', of: 'network' },
    },
    select: (call, { virtualmachineid, nicid, networkid }) => {
      const vm = machine(call, virtualmachineid);
      return vm.nics
        .filter(
          (nic) =>
            (nicid === undefined || nic.id === nicid) && (networkid === undefined || nic.networkId === networkid),
        )
        .map((nic) => ({ nic, vm }));
    },
    show: ({ nic, vm }, call) => ({ ...showNic(nic, vm, call), virtualmachineid: vm.id }),
  }),
  asynchronous({
    ...MACHINE,
    name: 'addNicToVirtualMachine',
    description: 'Adds VM to specified network by creating a NIC',
    commandClass: 'user.vm.AddNicToVMCmd',
    event: 'NIC.CREATE',
    parameters: { ...ID, networkid: { type: 'uuid', of: 'network', required: true }, ipaddress: { type: 'string' } },
    run: async (call, { virtualmachineid, networkid, ipaddress }, job) => {
      const { state } = call;
      const network = state.networks.get(networkid);
      if (!network) throw invalidValue(`unable to find a network with id ${networkid}`);
      if (machine(call, virtualmachineid).nics.some((nic) => nic.networkId === networkid)) {
        throw unexpected(`A NIC already exists for VM in network: ${network.id}`);
      }
      await job.work();
      const vm = machine(call, virtualmachineid);
      const deviceId = Math.max(-1, ...vm.nics.map((nic) => nic.deviceId)) + 1;
      const nic = makeNic(call, { network, ipAddress: ipaddress }, deviceId, vm.nics.length === 0);
      state.virtualMachines.update(vm.id, { nics: [...vm.nics, nic] });
      if (vm.state === 'Running') implementNetwork(call, networkid);
      return shownMachine(call, vm.id);
    },
  }),
  asynchronous({
    ...MACHINE,
    name: 'removeNicFromVirtualMachine',
    description: 'Removes VM from specified network by deleting a NIC',
    commandClass: 'user.vm.RemoveNicFromVMCmd',
    event: 'NIC.DELETE',
    parameters: { ...ID, nicid: { type: 'uuid', of: 'nic', required: true } },
    run: async (call, { virtualmachineid, nicid }, job) => {
      const nic = machine(call, virtualmachineid).nics.find((one) => one.id === nicid);
      if (!nic) throw invalidValue(`unable to find a nic with id ${nicid} on the virtual machine`);
      if (nic.isDefault) throw unexpected('Unable to remove nic: nic is default.');
      await job.work();
      const vm = machine(call, virtualmachineid);
      call.state.virtualMachines.update(vm.id, { nics: vm.nics.filter((one) => one.id !== nicid) });
      return shownMachine(call, vm.id);
    },
  }),
  asynchronous({
    ...MACHINE,
    name: 'updateDefaultNicForVirtualMachine',
    description: 'Changes the default NIC on a VM',
    commandClass: 'user.vm.UpdateDefaultNicForVMCmd',
    event: 'NIC.UPDATE',
    parameters: { ...ID, nicid: { type: 'uuid', of: 'nic', required: true } },
    run: async (call, { virtualmachineid, nicid }, job) => {
      if (!machine(call, virtualmachineid).nics.some((nic) => nic.id === nicid)) {
        throw invalidValue(`unable to find a nic with id ${nicid} on the virtual machine`);
      }
      await job.work();
      const vm = machine(call, virtualmachineid);
      const nics = vm.nics.map((nic) => ({ ...nic, isDefault: nic.id === nicid }));
      call.state.virtualMachines.update(vm.id, { nics });
      return shownMachine(call, vm.id);
    },
  }),
];

/** Secondary addresses are looked for from the primary one on, so that those of machines stay in one piece. */
function nextTo({ ipAddress }: Nic): string | undefined {
  return ipAddress;
}
