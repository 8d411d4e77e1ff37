import { checkAccess } from '../access.ts';
import { invalidValue, serverError, unexpected } from '../api-error.ts';
import { isDomainAdmin, isRoot, type Call } from '../call.ts';
import { asynchronous } from '../command.ts';
import type { Json } from '../json.ts';
import { implementNetwork } from '../operations/networks.ts';
import { expunge, setState } from '../operations/virtual-machines.ts';
import type { VirtualMachine } from '../state.ts';
import { showVirtualMachine } from '../views/virtual-machine.ts';

interface MachineValues {
  readonly id: string;
}

/** A machine that can still be worked with. @throws ApiError for one that was expunged, or somebody else's. */
export function machine(call: Call, id: string): VirtualMachine {
  const vm = call.state.virtualMachines.get(id);
  if (!vm) throw invalidValue(`Unable to find a virtual machine with id ${id}`);
  checkAccess(call, vm.accountId);
  return vm;
}

export function refuseExpunged(call: Call, { id }: MachineValues): void {
  const vm = call.state.virtualMachines.get(id);
  if (vm?.removed === undefined) return;
  throw invalidValue(`Unable to find UUID for id [${vm.internalId}] of type [VirtualMachine]`);
}

export function machineQueue(_: Call, { id }: MachineValues): string {
  return `vm ${id}`;
}

export function shownMachine(call: Call, id: string): { readonly virtualmachine: Json } {
  const vm = call.state.virtualMachines.get(id);
  if (!vm) throw unexpected(`Failed to find virtual machine ${id}`);
  const { cpuused: _cpu, ...shown } = showVirtualMachine(vm, call, JOB_DETAILS);
  return { virtualmachine: shown };
}

/** Job results are without statistics. */
const JOB_DETAILS = new Set(['group', 'nics', 'secgrp', 'tmpl', 'servoff', 'diskoff', 'iso', 'volume', 'affgrp']);

/** Begins the start of a machine: it gets a host. */
export function beginStart(call: Call, id: string, hostId?: string): void {
  const { state } = call;
  const zoneId = state.virtualMachines.get(id)?.zoneId;
  const host = hostId ?? state.hosts.find((one) => one.zoneId === zoneId && one.state === 'Up')?.id;
  if (host !== undefined) state.virtualMachines.update(id, { hostId: host, lastHostId: host });
  setState(call, id, 'Starting');
}

/** Ends the start of a machine: this is what makes a network real. */
export function endStart(call: Call, id: string): void {
  const vm = call.state.virtualMachines.get(id);
  if (!vm) return;
  for (const nic of vm.nics) implementNetwork(call, nic.networkId);
  const { deployvm: _, ...details } = vm.details;
  call.state.virtualMachines.update(id, { details });
  setState(call, id, 'Running');
}

/** Takes a machine from its host; the row keeps where it last ran. */
function takeOffHost(call: Call, id: string): void {
  const vm = call.state.virtualMachines.get(id);
  if (!vm) return;
  const { hostId: _, ...off } = vm;
  call.state.virtualMachines.replace(off);
}

const COMMON = {
  instanceType: 'VirtualMachine',
  queue: machineQueue,
  instanceId: (_: Call, { id }: MachineValues): string => id,
  check: refuseExpunged,
} as const;

const ID = { id: { type: 'uuid', of: 'virtual-machine', required: true } } as const;

function maySkipTheBin(call: Call): boolean {
  return isRoot(call) || isDomainAdmin(call) || call.state.settings.allowUserExpungeRecoverVm;
}

export const virtualMachineCommands = [
  asynchronous({
    ...COMMON,
    name: 'startVirtualMachine',
    description: 'Starts a virtual machine.',
    commandClass: 'user.vm.StartVMCmd',
    commandClassByRoot: 'admin.vm.StartVMCmdByAdmin',
    event: 'VM.START',
    parameters: { ...ID, hostid: { type: 'uuid', of: 'host', rootOnly: true } },
    run: async (call, { id, hostid }, job) => {
      const vm = machine(call, id);
      if (vm.state === 'Running') throw invalidValue(`The virtual machine ${vm.id} (${vm.name}) is already running`);
      if (vm.state !== 'Stopped') {
        throw unexpected(`The VM ${vm.id} can't be started in state ${vm.state}`);
      }
      beginStart(call, id, hostid);
      await job.work();
      endStart(call, id);
      return shownMachine(call, id);
    },
  }),
  asynchronous({
    ...COMMON,
    name: 'stopVirtualMachine',
    description: 'Stops a virtual machine.',
    commandClass: 'user.vm.StopVMCmd',
    commandClassByRoot: 'admin.vm.StopVMCmdByAdmin',
    event: 'VM.STOP',
    parameters: { ...ID, forced: { type: 'boolean' } },
    run: async (call, { id }, job) => {
      const vm = machine(call, id);
      if (vm.state === 'Running') setState(call, id, 'Stopping');
      await job.work();
      if (vm.state === 'Running') {
        takeOffHost(call, id);
        setState(call, id, 'Stopped');
      }
      return shownMachine(call, id);
    },
  }),
  asynchronous({
    ...COMMON,
    name: 'rebootVirtualMachine',
    description: 'Reboots a virtual machine.',
    commandClass: 'user.vm.RebootVMCmd',
    commandClassByRoot: 'admin.vm.RebootVMCmdByAdmin',
    event: 'VM.REBOOT',
    parameters: { ...ID, forced: { type: 'boolean', since: '4.15' } },
    run: async (call, { id }, job) => {
      const vm = machine(call, id);
      if (vm.state !== 'Running') throw unexpected(`VM ${vm.name} is not running`);
      await job.work();
      call.state.virtualMachines.update(id, { lastUpdated: call.clock.now() });
      return shownMachine(call, id);
    },
  }),
  asynchronous({
    ...COMMON,
    name: 'destroyVirtualMachine',
    description: 'Destroys a virtual machine.',
    commandClass: 'user.vm.DestroyVMCmd',
    commandClassByRoot: 'admin.vm.DestroyVMCmdByAdmin',
    event: 'VM.DESTROY',
    parameters: { ...ID, expunge: { type: 'boolean' }, volumeids: { type: 'list' } },
    run: async (call, { id, expunge: atOnce }, job) => {
      machine(call, id);
      if (atOnce && !maySkipTheBin(call)) {
        throw unexpected(
          'Parameter expunge can be passed by Admin only. Or when the allow.user.expunge.recover.vm key is set.',
        );
      }
      if (call.state.virtualMachines.get(id)?.state === 'Running') setState(call, id, 'Stopping');
      await job.work();
      if (atOnce) {
        expunge(call, id);
        return { null: { securitygroup: [], nic: [], affinitygroup: [], tags: [] } };
      }
      if (call.state.virtualMachines.get(id)?.state !== 'Destroyed') {
        takeOffHost(call, id);
        setState(call, id, 'Destroyed');
        call.state.virtualMachines.update(id, { destroyed: call.clock.now() });
      }
      return shownMachine(call, id);
    },
  }),
  asynchronous({
    ...COMMON,
    name: 'expungeVirtualMachine',
    description: 'Expunge a virtual machine. Once expunged, it cannot be recovered.',
    commandClass: 'admin.vm.ExpungeVMCmd',
    event: 'VM.EXPUNGE',
    parameters: ID,
    run: async (call, { id }, job) => {
      const vm = machine(call, id);
      if (!maySkipTheBin(call)) {
        throw unexpected(
          'Expunging a vm can only be done by an Admin. Or when the allow.user.expunge.recover.vm key is set.',
        );
      }
      if (vm.state !== 'Destroyed' && vm.state !== 'Error') {
        throw invalidValue(`Please destroy vm with specified vmId before expunge`);
      }
      await job.work();
      expunge(call, id);
      return { success: true };
    },
  }),
  asynchronous({
    ...COMMON,
    name: 'migrateVirtualMachine',
    description: 'Attempts migration of a VM to a different host or to a different storage.',
    commandClass: 'admin.vm.MigrateVMCmd',
    roles: ['Admin'],
    event: 'VM.MIGRATE',
    parameters: {
      hostid: { type: 'uuid', of: 'host' },
      virtualmachineid: { type: 'uuid', of: 'virtual-machine', required: true },
    },
    check: () => undefined,
    queue: (_, { virtualmachineid }) => `vm ${virtualmachineid}`,
    instanceId: (_, { virtualmachineid }) => virtualmachineid,
    run: async (call, { hostid, virtualmachineid: id }, job) => {
      const vm = machine(call, id);
      if (vm.state !== 'Running') throw invalidValue(`VM is not Running, unable to migrate the vm ${vm.name}`);
      const other = call.state.hosts.find((host) => host.zoneId === vm.zoneId && host.id !== vm.hostId);
      const target = hostid ?? other?.id;
      if (target === undefined) throw unexpected('Unable to find a host to migrate the VM to');
      setState(call, id, 'Migrating');
      await job.work();
      call.state.virtualMachines.update(id, { hostId: target, lastHostId: target });
      setState(call, id, 'Running');
      return shownMachine(call, id);
    },
  }),
  asynchronous({
    ...COMMON,
    name: 'scaleVirtualMachine',
    description: 'Scales the virtual machine to a new service offering.',
    commandClass: 'user.vm.ScaleVMCmd',
    commandClassByRoot: 'admin.vm.ScaleVMCmdByAdmin',
    event: 'VM.UPGRADE',
    parameters: { ...ID, serviceofferingid: { type: 'uuid', of: 'service-offering', required: true } },
    run: async (call, { id, serviceofferingid }, job) => {
      const vm = machine(call, id);
      if (vm.state !== 'Running' && vm.state !== 'Stopped') {
        throw serverError(530, `VM ${vm.name} can't be scaled in state ${vm.state}`);
      }
      await job.work();
      call.state.virtualMachines.update(id, { serviceOfferingId: serviceofferingid });
      return shownMachine(call, id);
    },
  }),
];
