import { checkAccess } from '../access.ts';
import { invalidValue, unexpected } from '../api-error.ts';
import type { Call } from '../call.ts';
import { asynchronous, sync } from '../command.ts';
import { deleteFirewall } from '../operations/load-balancers.ts';
import { hasService } from '../operations/networks.ts';
import { attachToTier, detachIfUnused } from '../operations/vpc-addresses.ts';
import type { Network, Nic, PublicIp } from '../state.ts';
import { machine } from './virtual-machines.ts';

function ownAddress(call: Call, id: string): PublicIp {
  const ip = call.state.publicIps.get(id);
  if (ip?.accountId === undefined) throw invalidValue('unable to find a public IP address by id specified');
  checkAccess(call, ip.accountId);
  return ip;
}

/** Why an address can't be given to one machine. */
function checkFree(call: Call, ip: PublicIp): void {
  const { state } = call;
  if (ip.isSourceNat) throw invalidValue(`Can't enable static, ip address is a sourceNat ip address: ${ip.address}`);
  const rules = [
    ...state.loadBalancerRules.by('publicIpId', ip.id),
    ...state.portForwardingRules.by('publicIpId', ip.id),
  ].filter((rule) => rule.state !== 'Revoke');
  if (rules.length > 0) {
    throw invalidValue(
      `Failed to enable static nat on the ip ${ip.address} as it has ${rules.length} port forwarding or load balancing rules assigned`,
    );
  }
}

function targetNic(
  call: Call,
  vmId: string,
  ip: PublicIp,
  networkId: string | undefined,
): { nic: Nic; network: Network } {
  const vm = machine(call, vmId);
  const wanted = ip.vpcId === undefined ? ip.networkId : networkId;
  const nic = vm.nics.find((one) => one.networkId === wanted) ?? (wanted === undefined ? vm.nics[0] : undefined);
  const network = nic && call.state.networks.get(nic.networkId);
  if (!nic || !network) throw invalidValue("Vm doesn't belong to the network with specified id");
  if (!hasService(call.state, network, 'StaticNat')) {
    throw invalidValue(
      `Unable to create static nat rule; StaticNat service is not supported in network with specified id`,
    );
  }
  return { nic, network };
}

export const staticNatCommands = [
  sync({
    name: 'enableStaticNat',
    description: 'Enables static NAT for given IP address',
    event: 'STATICNAT.ENABLE',
    parameters: {
      ipaddressid: { type: 'uuid', of: 'public-ip', required: true },
      virtualmachineid: { type: 'uuid', of: 'virtual-machine', required: true },
      networkid: { type: 'uuid', of: 'network' },
      vmguestip: { type: 'string' },
    },
    run: (call, { ipaddressid, virtualmachineid, networkid, vmguestip }) => {
      const { state } = call;
      const ip = ownAddress(call, ipaddressid);
      const { nic, network } = targetNic(call, virtualmachineid, ip, networkid);
      if (ip.staticNat?.virtualMachineId === virtualmachineid) return { success: true };
      if (ip.staticNat) throw invalidValue(`Failed to enable static nat for the ip address: it is already in use`);
      checkFree(call, ip);
      const taken = state.publicIps
        .by('networkId', network.id)
        .find((one) => one.staticNat?.virtualMachineId === virtualmachineid);
      if (taken) {
        throw invalidValue(`Failed to enable static nat for the ip address as vm already has ip ${taken.address}`);
      }
      attachToTier(state, ip.id, network.id);
      const guestAddress = vmguestip ?? nic.ipAddress ?? '';
      state.publicIps.update(ip.id, { staticNat: { virtualMachineId: virtualmachineid, guestAddress } });
      return { success: true };
    },
  }),
  asynchronous({
    name: 'disableStaticNat',
    description: 'Disables static rule for given IP address',
    commandClass: 'user.nat.DisableStaticNatCmd',
    event: 'STATICNAT.DISABLE',
    parameters: { ipaddressid: { type: 'uuid', of: 'public-ip', required: true } },
    queue: (call, { ipaddressid }) => call.state.publicIps.get(ipaddressid)?.networkId,
    run: async (call, { ipaddressid }, job) => {
      const { state } = call;
      const ip = ownAddress(call, ipaddressid);
      if (!ip.staticNat) throw invalidValue('Specified IP address id is not associated with any vm Id');
      await job.work();
      for (const rule of state.firewallRules.by('publicIpId', ip.id)) deleteFirewall(state, rule.id);
      const current = state.publicIps.get(ip.id);
      if (!current) throw unexpected('The IP address is gone');
      const { staticNat: _, ...bare } = current;
      state.publicIps.replace(bare);
      detachIfUnused(state, ip.id);
      return { success: true };
    },
  }),
];
