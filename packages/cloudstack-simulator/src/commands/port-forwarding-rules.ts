import { checkAccess, mayOperate } from '../access.ts';
import { invalidValue, ruleConflict, serverError, unexpected } from '../api-error.ts';
import { isRoot, type Call } from '../call.ts';
import { asynchronous, create, list } from '../command.ts';
import { RouterRefusedError } from '../jobs.ts';
import type { JsonObject } from '../json.ts';
import { deleteFirewall, networkApplied } from '../operations/load-balancers.ts';
import { hasService, offeringOf } from '../operations/networks.ts';
import { checkPorts } from '../operations/rule-conflicts.ts';
import { attachToTier, detachIfUnused } from '../operations/vpc-addresses.ts';
import { PAGE, SCOPE } from '../parameter.ts';
import type { Network, PortForwardingRule, PublicIp } from '../state.ts';
import { showRuleState } from '../views/rule-state.ts';
import { showTags } from '../views/tags.ts';
import { openFirewall } from './firewall-rules.ts';
import { scopedRows } from './scoped-rows.ts';
import { machine } from './virtual-machines.ts';

function showRule(rule: PortForwardingRule, call: Call): JsonObject {
  const ip = call.state.publicIps.get(rule.publicIpId);
  const vm = call.state.virtualMachines.get(rule.virtualMachineId);
  return {
    id: rule.id,
    privateport: String(rule.privatePort),
    privateendport: String(rule.privateEndPort),
    protocol: rule.protocol,
    publicport: String(rule.publicPort),
    publicendport: String(rule.publicEndPort),
    virtualmachineid: rule.virtualMachineId,
    virtualmachinename: vm?.name,
    virtualmachinedisplayname: vm?.displayname,
    ipaddressid: rule.publicIpId,
    ipaddress: ip?.address,
    state: showRuleState(rule.state),
    cidrlist: rule.cidrs.join(','),
    tags: showTags(call, rule.id),
    vmguestip: rule.guestAddress,
    networkid: rule.networkId,
    fordisplay: isRoot(call) ? rule.display !== false : undefined,
  };
}

interface NewRule {
  readonly ipaddressid: string;
  readonly protocol: string;
  readonly publicport: number;
  readonly publicendport?: number | undefined;
  readonly privateport: number;
  readonly privateendport?: number | undefined;
  readonly virtualmachineid: string;
  readonly networkid?: string | undefined;
  readonly openfirewall?: boolean | undefined;
  readonly vmguestip?: string | undefined;
  readonly cidrlist?: readonly string[] | undefined;
}

function networkFor(call: Call, ip: PublicIp, values: NewRule): Network {
  const vm = machine(call, values.virtualmachineid);
  const id = ip.networkId ?? values.networkid ?? vm.nics[0]?.networkId;
  const network = id === undefined ? undefined : call.state.networks.get(id);
  if (!network || network.vpcId !== ip.vpcId) {
    throw invalidValue('Unable to create port forwarding rule: the IP address is not associated with any network');
  }
  if (!hasService(call.state, network, 'PortForwarding')) {
    throw invalidValue('Port forwarding service is not supported in the network of the IP address');
  }
  return network;
}

/** Outside of conserve mode an address with load balancer rules takes no other ones. */
function checkPurpose(call: Call, ip: PublicIp, network: Network): void {
  if (offeringOf(call.state, network)?.conserveMode !== false) return;
  if (call.state.loadBalancerRules.by('publicIpId', ip.id).length > 0) {
    throw serverError(431, `The IP ${ip.address} is already used as Lb rather than PortForwarding`);
  }
  if (ip.isSourceNat)
    throw serverError(431, `The IP ${ip.address} is already used as SourceNat rather than PortForwarding`);
}

function checkRange(first: number, last: number, what: string): void {
  if (first < 1 || first > 65_535) throw invalidValue(`${what}Port is an invalid value: ${first}`);
  if (last < 1 || last > 65_535) throw invalidValue(`${what} port range is an invalid value: ${last}`);
  if (first > last) throw invalidValue("Start port can't be bigger than end port");
}

function createRule(call: Call, values: NewRule): string {
  const { state, random, clock } = call;
  const ip = state.publicIps.get(values.ipaddressid);
  if (ip?.accountId === undefined) {
    throw invalidValue(`Unable to create port forwarding rule; invalid IP address specified`);
  }
  checkAccess(call, ip.accountId);
  const { publicport, publicendport = publicport, privateport, privateendport = privateport } = values;
  const protocol = values.protocol.toLowerCase();
  const network = networkFor(call, ip, values);
  checkRange(publicport, publicendport, 'public');
  checkRange(privateport, privateendport, 'private');
  if (publicendport - publicport !== privateendport - privateport) {
    throw invalidValue('Source port and destination port ranges should be of equal sizes.');
  }
  if (ip.staticNat) throw ruleConflict(`There is 1 to 1 Nat rule specified for the ip address id=${ip.internalId}`);
  checkPurpose(call, ip, network);
  checkPorts(state, {
    publicIp: ip,
    networkId: network.id,
    first: publicport,
    last: publicendport,
    purpose: 'PortForwarding',
    protocol,
  });
  const nic = machine(call, values.virtualmachineid).nics.find((one) => one.networkId === network.id);
  if (!nic) throw invalidValue("Unable to create port forwarding rule: Virtual machine doesn't belong to the network");
  const rule = state.portForwardingRules.add({
    id: random.uuid(),
    accountId: ip.accountId,
    publicIpId: ip.id,
    networkId: network.id,
    protocol,
    publicPort: publicport,
    publicEndPort: publicendport,
    privatePort: privateport,
    privateEndPort: privateendport,
    virtualMachineId: values.virtualmachineid,
    guestAddress: values.vmguestip ?? nic.ipAddress ?? '',
    cidrs: values.cidrlist ?? [],
    state: 'Add',
    created: clock.now(),
  });
  attachToTier(state, ip.id, network.id);
  if (values.openfirewall ?? ip.vpcId === undefined) {
    openFirewall(call, {
      ip,
      networkId: network.id,
      port: publicport,
      endPort: publicendport,
      ruleId: rule.id,
      protocol,
    });
  }
  return rule.id;
}

function queueOf(call: Call, { id }: { readonly id: string }): string | undefined {
  return call.state.portForwardingRules.get(id)?.networkId;
}

function deleteRule(call: Call, rule: PortForwardingRule): void {
  for (const opened of call.state.firewallRules.by('relatedRuleId', rule.id)) deleteFirewall(call.state, opened.id);
  for (const tag of call.state.tags.by('resourceId', rule.id)) call.state.tags.delete(tag.id);
  call.state.portForwardingRules.delete(rule.id);
  detachIfUnused(call.state, rule.publicIpId);
}

export const portForwardingRuleCommands = [
  create({
    name: 'createPortForwardingRule',
    description: 'Creates a port forwarding rule',
    commandClass: 'user.firewall.CreatePortForwardingRuleCmd',
    instanceType: 'FirewallRule',
    event: 'NET.RULEADD',
    parameters: {
      ipaddressid: { type: 'uuid', of: 'public-ip', required: true },
      privateport: { type: 'integer', required: true },
      protocol: { type: 'string', required: true },
      privateendport: { type: 'integer' },
      publicport: { type: 'integer', required: true },
      publicendport: { type: 'integer' },
      virtualmachineid: { type: 'uuid', of: 'virtual-machine', required: true },
      cidrlist: { type: 'list' },
      openfirewall: { type: 'boolean' },
      networkid: { type: 'uuid', of: 'network' },
      vmguestip: { type: 'string' },
      fordisplay: { type: 'boolean', rootOnly: true },
    },
    create: createRule,
    queue: (call, _, id) => queueOf(call, { id }),
    run: async (call, _, id, job) => {
      const { state } = call;
      const rule = state.portForwardingRules.get(id);
      try {
        await job.apply(rule?.networkId ?? '');
      } catch (refusal) {
        if (!(refusal instanceof RouterRefusedError)) throw refusal;
        if (rule) deleteRule(call, rule);
        throw serverError(530, 'Failed to apply port forwarding rule');
      }
      for (const one of state.firewallRules.by('relatedRuleId', id))
        state.firewallRules.update(one.id, { state: 'Active' });
      const active = state.portForwardingRules.update(id, { state: 'Active' });
      if (!active) throw unexpected('The port forwarding rule is gone');
      networkApplied(state, active.networkId);
      return { portforwardingrule: showRule(active, call) };
    },
  }),
  asynchronous({
    name: 'deletePortForwardingRule',
    description: 'Deletes a port forwarding rule',
    commandClass: 'user.firewall.DeletePortForwardingRuleCmd',
    event: 'NET.RULEDELETE',
    parameters: { id: { type: 'uuid', of: 'port-forwarding-rule', required: true } },
    check: (call, { id }) => {
      const rule = call.state.portForwardingRules.get(id);
      if (rule && !mayOperate(call, rule.accountId)) checkAccess(call, rule.accountId);
    },
    queue: queueOf,
    run: async (call, { id }, job) => {
      const rule = call.state.portForwardingRules.get(id);
      if (!rule) return { success: true };
      call.state.portForwardingRules.update(id, { state: 'Revoke' });
      try {
        await job.apply(rule.networkId);
      } catch (refusal) {
        if (!(refusal instanceof RouterRefusedError)) throw refusal;
        throw serverError(530, 'Failed to delete port forwarding rule');
      }
      deleteRule(call, rule);
      return { success: true };
    },
  }),
  list({
    name: 'listPortForwardingRules',
    description: 'Lists all port forwarding rules for an IP address.',
    item: 'portforwardingrule',
    parameters: {
      ...PAGE,
      ...SCOPE,
      id: { type: 'uuid', of: 'port-forwarding-rule' },
      ipaddressid: { type: 'uuid', of: 'public-ip' },
      networkid: { type: 'uuid', of: 'network' },
      fordisplay: { type: 'boolean', rootOnly: true },
    },
    select: (call, values) =>
      scopedRows(call, call.state.portForwardingRules, values)
        .filter(
          (rule) =>
            (values.ipaddressid === undefined || rule.publicIpId === values.ipaddressid) &&
            (values.networkid === undefined || rule.networkId === values.networkid),
        )
        .toReversed(),
    show: showRule,
  }),
];
