import type { Scope } from '@cloudstack-ccm/base';
import { completed, NotFoundError, type Commands, type Job, type PublicIp } from '@cloudstack-ccm/cloudstack-client';
import type { Action, CreateFirewallRule, CreateRule, Ref, SetStickiness } from '../plan/actions.ts';
import { addMembers, targetsOf } from './execute-members.ts';
import { UnmadeObjectError } from '../errors.ts';
import { MANAGED_POLICY } from '../annotations/stickiness.ts';

/** What the actions of a plan have made so far. */
export interface Made {
  /** Ids by the names under which the plan refers to them. */
  readonly ids: Map<string, string>;
  associated: PublicIp | undefined;
  /** What to do when CloudStack has accepted the making of an object, by the same names. */
  readonly accepted: Map<string, () => void>;
}

/** Carries out one action: one command of the API, and its job. */
export async function perform(scope: Scope, client: Commands, action: Action, made: Made): Promise<void> {
  switch (action.kind) {
    case 'create-rule': {
      const rule = await completed(scope, client.createLoadBalancerRule(scope, creation(action)));
      made.ids.set(action.name, rule.id);
      return;
    }
    case 'update-rule': {
      const { sourceCidrs: cidrList, ...changes } = action.changes;
      await completed(scope, client.updateLoadBalancerRule(scope, { id: action.id, ...changes, cidrList }));
      return;
    }
    case 'delete-rule':
      return gone(scope, () => client.deleteLoadBalancerRule(scope, { id: action.id }));
    case 'add-members':
      return addMembers(scope, client, resolve(action.rule, made), action.members);
    case 'remove-members': {
      const targets = { id: resolve(action.rule, made), ...targetsOf(action.members) };
      return gone(scope, () => client.removeFromLoadBalancerRule(scope, targets));
    }
    case 'set-stickiness': {
      await completed(scope, client.createStickinessPolicy(scope, policy(action, made)));
      return;
    }
    case 'remove-stickiness':
      return gone(scope, () => client.deleteStickinessPolicy(scope, { id: action.id }));
    case 'create-firewall-rule':
      return open(scope, client, action, made);
    case 'delete-firewall-rule':
      return gone(scope, () => client.deleteFirewallRule(scope, { id: action.id }));
    case 'create-acl-item': {
      const { aclId, transport: protocol, port, sourceCidrs: cidrList, reason } = action;
      const ports = { startPort: port, endPort: port };
      const item = { aclId, protocol, ...ports, cidrList, reason, trafficType: 'Ingress', action: 'Allow' } as const;
      await completed(scope, client.createNetworkAclItem(scope, item));
      return;
    }
    case 'update-acl-item': {
      const { sourceCidrs: cidrList, reason } = action.changes;
      await completed(scope, client.updateNetworkAclItem(scope, { id: action.id, cidrList, reason }));
      return;
    }
    case 'delete-acl-item':
      return gone(scope, () => client.deleteNetworkAclItem(scope, { id: action.id }));
    case 'associate-address': {
      const where = action.vpcId === undefined ? { networkId: action.networkId } : { vpcId: action.vpcId };
      made.associated = await completed(
        scope,
        client.associateIpAddress(scope, { ...where, ipAddress: action.address }),
      );
      return;
    }
    case 'release-address':
      await completed(scope, client.disassociateIpAddress(scope, { id: action.id }));
      return;
    case 'add-tags':
    case 'remove-tags':
      return changeTags(scope, client, action, made);
  }
}

function creation(action: CreateRule): Parameters<Commands['createLoadBalancerRule']>[1] {
  const { kind: _, addressId: publicIpId, address: __, sourceCidrs: cidrList, ...rule } = action;
  return { ...rule, publicIpId, cidrList, openFirewall: false };
}

/** The rule exists as soon as the command is accepted, and is gone again when its job fails. */
async function open(scope: Scope, client: Commands, action: CreateFirewallRule, made: Made): Promise<void> {
  const job = await client.createFirewallRule(scope, opening(action));
  if (job.objectId !== undefined) {
    made.ids.set(action.key, job.objectId);
    made.accepted.get(action.key)?.();
  }
  try {
    const { id } = await job.wait(scope);
    made.ids.set(action.key, id);
  } catch (thrown) {
    made.ids.delete(action.key);
    throw thrown;
  }
}

function opening({
  addressId,
  transport,
  port,
  sourceCidrs,
}: CreateFirewallRule): Parameters<Commands['createFirewallRule']>[1] {
  return { ipAddressId: addressId, protocol: transport, startPort: port, endPort: port, cidrList: sourceCidrs };
}

function policy(action: SetStickiness, made: Made): Parameters<Commands['createStickinessPolicy']>[1] {
  const { method, parameters } = action.stickiness;
  const param = Object.entries(parameters).map(([name, value]) => ({ name, value }));
  return {
    lbRuleId: resolve(action.rule, made),
    name: action.ruleName,
    methodName: method,
    param: param.length > 0 ? param : undefined,
    description: MANAGED_POLICY,
  };
}

/** Objects that could not be made have no tags to get. */
async function changeTags(
  scope: Scope,
  client: Commands,
  action: Extract<Action, { kind: 'add-tags' | 'remove-tags' }>,
  made: Made,
): Promise<void> {
  const resourceIds = action.objects.flatMap((object) => find(object, made) ?? []);
  if (resourceIds.length === 0) return;
  const change = { resourceType: action.resourceType, resourceIds, tags: action.tags };
  await completed(
    scope,
    action.kind === 'add-tags' ? client.createTags(scope, change) : client.deleteTags(scope, change),
  );
}

/** For commands that end something: that it is gone already is what was wanted. */
async function gone(scope: Scope, submit: () => Promise<Job<void>>): Promise<void> {
  try {
    await completed(scope, submit());
  } catch (thrown) {
    if (!(thrown instanceof NotFoundError)) throw thrown;
  }
}

/** Undefined when the object was not made. */
export function find(ref: Ref, made: Made): string | undefined {
  return 'id' in ref ? ref.id : made.ids.get(ref.planned);
}

function resolve(ref: Ref, made: Made): string {
  const id = find(ref, made);
  if (id === undefined) throw new UnmadeObjectError(ref);
  return id;
}
