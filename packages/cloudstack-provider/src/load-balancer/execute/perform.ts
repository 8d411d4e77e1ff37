import { NotFoundError, type Commands, type Job, type PublicIp } from '@cloudstack-ccm/cloudstack-client';
import type { Action, CreateFirewallRule, CreateRule, Ref, SetStickiness } from '../plan/actions.ts';
import { addMembers, targetsOf } from './execute-members.ts';
import { finished, type Sending } from './sending.ts';
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
export async function perform(sending: Sending, action: Action, made: Made): Promise<void> {
  const { scope, client } = sending;
  switch (action.kind) {
    case 'create-rule':
      return make(sending, action.name, client.createLoadBalancerRule(scope, creation(action)), made);
    case 'update-rule': {
      const { sourceCidrs: cidrList, ...changes } = action.changes;
      await finished(sending, client.updateLoadBalancerRule(scope, { id: action.id, ...changes, cidrList }));
      return;
    }
    case 'delete-rule':
      return gone(sending, () => client.deleteLoadBalancerRule(scope, { id: action.id }));
    case 'add-members':
      return addMembers(sending, resolve(action.rule, made), action.members);
    case 'remove-members': {
      const targets = { id: resolve(action.rule, made), ...targetsOf(action.members) };
      return gone(sending, () => client.removeFromLoadBalancerRule(scope, targets));
    }
    case 'set-stickiness': {
      await finished(sending, client.createStickinessPolicy(scope, policy(action, made)));
      return;
    }
    case 'remove-stickiness':
      return gone(sending, () => client.deleteStickinessPolicy(scope, { id: action.id }));
    case 'create-firewall-rule':
      return make(sending, action.key, client.createFirewallRule(scope, opening(action)), made);
    case 'delete-firewall-rule':
      return gone(sending, () => client.deleteFirewallRule(scope, { id: action.id }));
    case 'create-acl-item': {
      const { aclId, transport: protocol, port, sourceCidrs: cidrList, reason } = action;
      const ports = { startPort: port, endPort: port };
      const item = { aclId, protocol, ...ports, cidrList, reason, trafficType: 'Ingress', action: 'Allow' } as const;
      await finished(sending, client.createNetworkAclItem(scope, item));
      return;
    }
    case 'update-acl-item': {
      const { sourceCidrs: cidrList, reason } = action.changes;
      await finished(sending, client.updateNetworkAclItem(scope, { id: action.id, cidrList, reason }));
      return;
    }
    case 'delete-acl-item':
      return gone(sending, () => client.deleteNetworkAclItem(scope, { id: action.id }));
    case 'associate-address': {
      const where = action.vpcId === undefined ? { networkId: action.networkId } : { vpcId: action.vpcId };
      made.associated = await finished(
        sending,
        client.associateIpAddress(scope, { ...where, ipAddress: action.address }),
      );
      return;
    }
    case 'release-address':
      await finished(sending, client.disassociateIpAddress(scope, { id: action.id }));
      return;
    case 'add-tags':
    case 'remove-tags':
      return changeTags(sending, action, made);
  }
}

function creation(action: CreateRule): Parameters<Commands['createLoadBalancerRule']>[1] {
  const { kind: _, addressId: publicIpId, address: __, sourceCidrs: cidrList, ...rule } = action;
  return { ...rule, publicIpId, cidrList, openFirewall: false };
}

/** What a command makes exists as soon as it is accepted, and is gone again when its job fails. */
async function make(
  sending: Sending,
  name: string,
  submitted: Promise<Job<{ readonly id: string }>>,
  made: Made,
): Promise<void> {
  try {
    const { id } = await finished(sending, submitted, ({ objectId }) => {
      if (objectId !== undefined) made.ids.set(name, objectId);
      made.accepted.get(name)?.();
    });
    made.ids.set(name, id);
  } catch (thrown) {
    made.ids.delete(name);
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
  sending: Sending,
  action: Extract<Action, { kind: 'add-tags' | 'remove-tags' }>,
  made: Made,
): Promise<void> {
  const { scope, client } = sending;
  const resourceIds = action.objects.flatMap((object) => find(object, made) ?? []);
  if (resourceIds.length === 0) return;
  const change = { resourceType: action.resourceType, resourceIds, tags: action.tags };
  await finished(
    sending,
    action.kind === 'add-tags' ? client.createTags(scope, change) : client.deleteTags(scope, change),
  );
}

/** For commands that end something: that it is gone already is what was wanted. */
async function gone(sending: Sending, submit: () => Promise<Job<void>>): Promise<void> {
  try {
    await finished(sending, submit());
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
