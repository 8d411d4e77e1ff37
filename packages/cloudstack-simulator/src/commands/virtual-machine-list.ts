import { invalidValue } from '../api-error.ts';
import { isDomainAdmin, isRoot, type Call } from '../call.ts';
import { sameText } from '../collation.ts';
import { list } from '../command.ts';
import { like } from '../paging.ts';
import { PAGE, SCOPE } from '../parameter.ts';
import type { VirtualMachine } from '../state.ts';
import { ALL_DETAILS, HYPERVISOR, instanceName, showVirtualMachine, type Details } from '../views/virtual-machine.ts';
import { scopedRows } from './scoped-rows.ts';

const DETAILS = 'all, group, nics, stats, secgrp, tmpl, servoff, diskoff, backoff, iso, volume, min, affgrp, vnfnics';
const KNOWN_DETAILS = new Set(DETAILS.split(', '));

function readDetails(details: readonly string[] | undefined): Details {
  if (details === undefined) return ALL_DETAILS;
  if (details.some((detail) => !KNOWN_DETAILS.has(detail))) {
    throw invalidValue(`The details parameter contains a non permitted value. The allowed values are [${DETAILS}]`);
  }
  return new Set(details);
}

/** Ordinary users do not see what is destroyed, unless a setting lets them. */
function visible(call: Call, vm: VirtualMachine): boolean {
  if (vm.removed !== undefined) return false;
  if (vm.state !== 'Destroyed' && vm.state !== 'Expunging') return true;
  return isRoot(call) || isDomainAdmin(call) || call.state.settings.allowUserViewDestroyedVm;
}

interface Filter {
  readonly ids?: readonly string[] | undefined;
  readonly name?: string | undefined;
  readonly keyword?: string | undefined;
  readonly state?: string | undefined;
  readonly zoneid?: string | undefined;
  readonly networkid?: string | undefined;
  readonly vpcid?: string | undefined;
  readonly templateid?: string | undefined;
  readonly serviceofferingid?: string | undefined;
  readonly userid?: string | undefined;
  readonly haenable?: boolean | undefined;
  readonly hostid?: string | undefined;
  readonly keypair?: string | undefined;
  readonly hypervisor?: string | undefined;
  readonly isvnf?: boolean | undefined;
  readonly forvirtualnetwork?: boolean | undefined;
}

function matcher(call: Call, values: Filter): (vm: VirtualMachine) => boolean {
  const name = values.name?.toLowerCase();
  const ids = values.ids?.length ? new Set(values.ids) : undefined;
  return (vm) =>
    (ids === undefined || ids.has(vm.id)) &&
    (name === undefined || vm.name.toLowerCase() === name) &&
    (values.keyword === undefined || matchesKeyword(call, vm, values.keyword)) &&
    (values.state === undefined || matchesState(vm, values.state)) &&
    (values.zoneid === undefined || vm.zoneId === values.zoneid) &&
    (values.networkid === undefined || vm.nics.some((nic) => nic.networkId === values.networkid)) &&
    (values.vpcid === undefined ||
      vm.nics.some((nic) => call.state.networks.get(nic.networkId)?.vpcId === values.vpcid)) &&
    (values.templateid === undefined || vm.templateId === values.templateid) &&
    (values.serviceofferingid === undefined || vm.serviceOfferingId === values.serviceofferingid) &&
    (values.userid === undefined || vm.userId === values.userid) &&
    (values.haenable === undefined || vm.haEnabled === values.haenable) &&
    (values.hostid === undefined || vm.hostId === values.hostid) &&
    (values.hypervisor === undefined || sameText(values.hypervisor, HYPERVISOR)) &&
    (values.keypair === undefined || vm.keypair === values.keypair) &&
    (values.forvirtualnetwork === undefined || inVirtualNetwork(call, vm) === values.forvirtualnetwork) &&
    // No machine here is made from a template for network functions.
    values.isvnf !== true;
}

/** "Virtual" is what CloudStack called isolated networks at first. */
function inVirtualNetwork({ state }: Call, vm: VirtualMachine): boolean {
  return vm.nics.some((nic) => state.networks.get(nic.networkId)?.guestType === 'Isolated');
}

function matchesKeyword(call: Call, vm: VirtualMachine, keyword: string): boolean {
  if (like(vm.name, keyword) || like(vm.displayname, keyword)) return true;
  if (vm.state.toLowerCase() === keyword.toLowerCase()) return true;
  return isRoot(call) && like(instanceName(vm, call), keyword);
}

function matchesState(vm: VirtualMachine, state: string): boolean {
  if (state.toLowerCase() === 'present') return vm.state !== 'Destroyed' && vm.state !== 'Expunging';
  return vm.state.toLowerCase() === state.toLowerCase();
}

/** All projects together with one's own: the projects' machines come first. */
function projectsFirst(call: Call, rows: readonly VirtualMachine[]): VirtualMachine[] {
  const own = call.caller.account.id;
  return [...rows.filter((vm) => vm.accountId !== own), ...rows.filter((vm) => vm.accountId === own)];
}

export const virtualMachineListCommands = [
  list({
    name: 'listVirtualMachines',
    description: 'List the virtual machines owned by the account.',
    item: 'virtualmachine',
    parameters: {
      ...PAGE,
      ...SCOPE,
      id: { type: 'uuid', of: 'virtual-machine' },
      ids: { type: 'uuid-list', of: 'virtual-machine' },
      name: { type: 'string' },
      state: { type: 'string' },
      details: { type: 'list' },
      zoneid: { type: 'uuid', of: 'zone' },
      networkid: { type: 'uuid', of: 'network' },
      vpcid: { type: 'uuid', of: 'vpc' },
      templateid: { type: 'uuid', of: 'template' },
      serviceofferingid: { type: 'uuid', of: 'service-offering' },
      userid: { type: 'uuid', of: 'user' },
      haenable: { type: 'boolean', since: '4.15' },
      hypervisor: { type: 'string' },
      forvirtualnetwork: { type: 'boolean' },
      displayvm: { type: 'boolean', rootOnly: true },
      hostid: { type: 'uuid', of: 'host', rootVariant: true },
      podid: { type: 'uuid', of: 'not-simulated', rootVariant: true },
      clusterid: { type: 'uuid', of: 'not-simulated', rootVariant: true },
      storageid: { type: 'uuid', of: 'not-simulated', rootVariant: true },
      groupid: { type: 'uuid', of: 'not-simulated' },
      isoid: { type: 'uuid', of: 'not-simulated' },
      affinitygroupid: { type: 'uuid', of: 'not-simulated' },
      securitygroupid: { type: 'uuid', of: 'not-simulated', since: '4.15' },
      autoscalevmgroupid: { type: 'uuid', of: 'autoscale-group', since: '4.18' },
      backupofferingid: { type: 'uuid', of: 'not-simulated', since: '4.17' },
      keypair: { type: 'string' },
      isvnf: { type: 'boolean', since: '4.19' },
      showicon: { type: 'boolean', since: '4.16' },
      accumulate: { type: 'boolean', since: '4.17' },
      userdata: { type: 'boolean', since: '4.18' },
      retrieveonlyresourcecount: { type: 'boolean', since: '4.17' },
    },
    select: (call, values) => {
      readDetails(values.details);
      if (values.id !== undefined && values.ids !== undefined) {
        throw invalidValue('Specify either id or ids but not both parameters');
      }
      // Autoscale groups start no machines here.
      if (values.autoscalevmgroupid !== undefined) return [];
      const matches = matcher(call, values);
      const rows = scopedRows(call, call.state.virtualMachines, values);
      const found = rows.filter((vm) => visible(call, vm) && matches(vm));
      return values.projectid === '-1' && values.listall === true ? projectsFirst(call, found) : found;
    },
    show: (vm, call, { details }) => showVirtualMachine(vm, call, readDetails(details)),
  }),
];
