import { addressToNumber, parseBlock } from '../addresses.ts';
import { checkAccess } from '../access.ts';
import { insufficientCapacity, invalidValue, rethrown, unexpected } from '../api-error.ts';
import type { Call } from '../call.ts';
import { sameText } from '../collation.ts';
import { asynchronous, create, list } from '../command.ts';
import { RouterRefusedError } from '../jobs.ts';
import { freeGuestAddress, usedAddresses } from '../operations/guest-addresses.ts';
import { deleteLoadBalancer, networkApplied } from '../operations/load-balancers.ts';
import { offeringOf, providerOf } from '../operations/networks.ts';
import { portsTaken } from '../operations/rule-conflicts.ts';
import { like } from '../paging.ts';
import { PAGE, SCOPE } from '../parameter.ts';
import type { LoadBalancerRule, Network } from '../state.ts';
import { showInternalLoadBalancer } from '../views/internal-load-balancer.ts';
import { ruleInJob, ruleQueue } from './load-balancer-rules.ts';
import { isAlgorithm } from './new-load-balancer-rule.ts';
import { scopedRows } from './scoped-rows.ts';

interface Request {
  readonly name: string;
  readonly description?: string | undefined;
  readonly scheme: string;
  readonly algorithm: string;
  readonly networkid: string;
  readonly sourceport: number;
  readonly instanceport: number;
  readonly sourceipaddress?: string | undefined;
  readonly sourceipaddressnetworkid: string;
}

function createBalancer(call: Call, values: Request): string {
  if (!sameText(values.scheme, 'Internal')) throw invalidValue('Invalid value for scheme. Supported value is internal');
  const { state, random, clock } = call;
  const network = state.networks.get(values.networkid);
  if (!network || network.removed !== undefined) throw invalidValue("Can't find guest network by id");
  checkAccess(call, network.accountId);
  const sourceNetwork = state.networks.get(values.sourceipaddressnetworkid);
  if (!sourceNetwork || sourceNetwork.removed !== undefined) throw invalidValue("Can't find source ip network by id");
  checkAccess(call, sourceNetwork.accountId);
  checkService(call, network);
  checkPort('source', values.sourceport);
  checkPort('instance', values.instanceport);
  if (!isAlgorithm(values.algorithm)) throw invalidValue(`Invalid algorithm: ${values.algorithm}`);
  const address = sourceAddress(call, sourceNetwork, values.sourceipaddress);
  checkConflict(call, sourceNetwork, address, values.sourceport);
  return state.loadBalancerRules.add({
    id: random.uuid(),
    accountId: network.accountId,
    publicIpId: '',
    source: { address, networkId: sourceNetwork.id },
    networkId: network.id,
    name: values.name,
    ...(values.description !== undefined && { description: values.description }),
    publicPort: values.sourceport,
    privatePort: values.instanceport,
    algorithm: values.algorithm,
    members: [],
    state: 'Add',
    created: clock.now(),
  }).id;
}

function checkService({ state }: Call, network: Network): void {
  const provider = providerOf(state, network, 'Lb');
  if (provider === undefined) throw invalidValue('LB service is not supported in specified network id');
  if (provider === 'InternalLbVm') return;
  const offering = offeringOf(state, network)?.name;
  throw invalidValue(`Scheme Internal is not supported by the network offering ${offering}`);
}

function checkPort(which: 'source' | 'instance', port: number): void {
  if (port < 1 || port > 65_535) throw invalidValue(`Invalid value for ${which} port: ${port}`);
}

/** An address of the tier: one asked for, which another balancer may have already, or the next that is free. */
function sourceAddress({ state }: Call, network: Network, wanted: string | undefined): string {
  if (wanted === undefined) {
    const address = freeGuestAddress(state, network);
    if (address === undefined) throw insufficientCapacity('Insufficient address capacity');
    return address;
  }
  const block = parseBlock(network.cidr ?? '');
  const inside = /^\d+(\.\d+){3}$/.test(wanted) && block && parseBlock(`${wanted}/32`) !== undefined;
  const offset = inside ? addressToNumber(wanted) - block.first : -1;
  if (!block || offset <= 0 || offset >= block.size - 1) {
    throw invalidValue(`The requested IP address ${wanted} is not in the range of the network ${network.name}`);
  }
  const shared = state.loadBalancerRules
    .by('sourceNetworkId', network.id)
    .some((rule) => rule.source?.address === wanted);
  if (!shared && usedAddresses(state, network).has(wanted)) {
    throw insufficientCapacity(`Requested ip address ${wanted} is already in use`);
  }
  return wanted;
}

function checkConflict({ state }: Call, network: Network, address: string, port: number): void {
  const rule = state.loadBalancerRules
    .by('sourceNetworkId', network.id)
    .find((one) => one.source?.address === address && one.publicPort === port && one.state !== 'Revoke');
  if (!rule) return;
  const claim = { first: port, last: port };
  throw rethrown(portsTaken(claim, { internalId: rule.internalId, ...claim }));
}

function balancerInJob(call: Call, id: string): LoadBalancerRule {
  const rule = ruleInJob(call, id);
  if (!rule?.source) throw invalidValue("Can't find load balancer by id");
  return rule;
}

function shown(call: Call, id: string): { readonly loadbalancer: ReturnType<typeof showInternalLoadBalancer> } {
  const rule = call.state.loadBalancerRules.get(id);
  if (!rule) throw unexpected('Failed to create load balancer');
  return { loadbalancer: showInternalLoadBalancer(rule, call) };
}

/** Balancers inside of a VPC. Their members come and go by the commands of ordinary rules. */
export const internalLoadBalancerCommands = [
  create({
    name: 'createLoadBalancer',
    description: 'Creates an internal load balancer',
    commandClass: 'user.loadbalancer.CreateApplicationLoadBalancerCmd',
    instanceType: 'None',
    namesInstance: false,
    event: 'LB.CREATE',
    parameters: {
      name: { type: 'string', required: true, field: 'loadBalancerName' },
      description: { type: 'string', length: 4096 },
      networkid: { type: 'uuid', of: 'network', required: true },
      sourceport: { type: 'integer', required: true },
      algorithm: { type: 'string', required: true },
      instanceport: { type: 'integer', required: true },
      sourceipaddress: { type: 'string' },
      sourceipaddressnetworkid: { type: 'uuid', of: 'network', required: true },
      scheme: { type: 'string', required: true },
      fordisplay: { type: 'boolean', rootOnly: true },
      customid: { type: 'string', rootOnly: true },
    },
    create: createBalancer,
    queue: (call, _, id) => call.state.loadBalancerRules.get(id)?.networkId,
    run: async (call, _, id, job) => {
      await job.work();
      return shown(call, id);
    },
  }),
  asynchronous({
    name: 'updateLoadBalancer',
    description: 'Updates an internal load balancer',
    commandClass: 'user.loadbalancer.UpdateApplicationLoadBalancerCmd',
    event: 'LB.UPDATE',
    parameters: {
      id: { type: 'uuid', of: 'load-balancer-rule', required: true },
      fordisplay: { type: 'boolean', rootOnly: true },
      customid: { type: 'string', rootOnly: true },
    },
    queue: ruleQueue,
    run: async (call, { id }, job) => {
      balancerInJob(call, id);
      await job.work();
      return shown(call, id);
    },
  }),
  asynchronous({
    name: 'deleteLoadBalancer',
    description: 'Deletes an internal load balancer',
    commandClass: 'user.loadbalancer.DeleteApplicationLoadBalancerCmd',
    event: 'LB.DELETE',
    parameters: { id: { type: 'uuid', of: 'load-balancer-rule', required: true } },
    queue: ruleQueue,
    run: async (call, { id }, job) => {
      const { state } = call;
      const rule = balancerInJob(call, id);
      state.loadBalancerRules.update(id, { state: 'Revoke' });
      try {
        await job.apply(rule.networkId);
      } catch (refusal) {
        if (!(refusal instanceof RouterRefusedError)) throw refusal;
        const members = rule.members.map((member) => ({ ...member, revoked: true }));
        state.loadBalancerRules.update(id, { state: 'Active', members });
        throw unexpected('Failed to delete load balancer');
      }
      deleteLoadBalancer(state, rule);
      networkApplied(state, rule.networkId);
      return { success: true };
    },
  }),
  list({
    name: 'listLoadBalancers',
    description: 'Lists internal load balancers',
    item: 'loadbalancer',
    parameters: {
      ...PAGE,
      ...SCOPE,
      id: { type: 'uuid', of: 'load-balancer-rule' },
      name: { type: 'string' },
      sourceipaddress: { type: 'string' },
      sourceipaddressnetworkid: { type: 'uuid', of: 'network' },
      scheme: { type: 'string' },
      networkid: { type: 'uuid', of: 'network' },
      fordisplay: { type: 'boolean', rootOnly: true },
    },
    select: (call, values) => {
      const { name, keyword, sourceipaddress, sourceipaddressnetworkid, scheme, networkid } = values;
      if (scheme !== undefined && !sameText(scheme, 'Internal')) {
        throw invalidValue('Invalid value for scheme. Supported value is internal');
      }
      return scopedRows(call, call.state.loadBalancerRules, values).filter(
        (rule) =>
          rule.source !== undefined &&
          (name === undefined || sameText(rule.name, name)) &&
          (keyword === undefined || like(rule.name, keyword) || like(rule.description, keyword)) &&
          (sourceipaddress === undefined || rule.source.address === sourceipaddress) &&
          (sourceipaddressnetworkid === undefined || rule.source.networkId === sourceipaddressnetworkid) &&
          (networkid === undefined || rule.networkId === networkid),
      );
    },
    show: showInternalLoadBalancer,
  }),
];
