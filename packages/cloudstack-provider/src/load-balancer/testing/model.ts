import type {
  FirewallRule,
  LoadBalancerRule,
  NetworkAclItem,
  StickinessPolicy,
  Tag,
} from '@cloudstack-ccm/cloudstack-client';
import type { Action, Ref } from '../plan/actions.ts';
import type { Member } from '../members/members.ts';
import type { Snapshot } from '../plan/observed.ts';
import type { ServerFeatures } from '../plan/server-features.ts';
import { MANAGED_POLICY } from '../annotations/stickiness.ts';
import { aclItem, firewallRule, rule } from './builders.ts';

/**
 * CloudStack as far as plans can notice: it refuses what CloudStack refuses, and does only what CloudStack does. It
 * knows nothing of what is wanted.
 */
export class Model {
  readonly rules = new Map<string, LoadBalancerRule>();
  readonly members = new Map<string, readonly Member[]>();
  readonly policies = new Map<string, readonly StickinessPolicy[]>();
  readonly firewallRules = new Map<string, FirewallRule>();
  readonly aclItems = new Map<string, NetworkAclItem>();
  /** Firewall rules that the controller has noted as foreign. */
  foreign: ReadonlySet<string> = new Set();
  readonly #features: ServerFeatures;
  readonly #planned = new Map<string, string>();
  #next = 1;

  constructor(features: ServerFeatures) {
    this.#features = features;
  }

  /** What a controller reads. @param isOwn which rules it finds by their names */
  snapshot(isOwn: (rule: LoadBalancerRule) => boolean): Snapshot {
    const rules = [...this.rules.values()].filter(isOwn);
    return {
      rules,
      members: this.members,
      policies: new Map(rules.map(({ id }) => [id, this.policies.get(id) ?? []])),
      firewallRules: [...this.firewallRules.values()],
      aclItems: [...this.aclItems.values()],
    };
  }

  addRule(one: LoadBalancerRule, members: readonly Member[] = []): boolean {
    const taken = [...this.rules.values()].some(
      (other) =>
        other.publicIpId === one.publicIpId && other.publicPort === one.publicPort && other.state !== 'Deleting',
    );
    if (taken && one.state !== 'Deleting') return false;
    const id = one.id === '' ? this.#id('rule') : one.id;
    this.rules.set(id, { ...one, id });
    this.members.set(id, members);
    return true;
  }

  addFirewallRule(one: FirewallRule): boolean {
    const conflict = [...this.firewallRules.values()].some(
      (other) =>
        other.state !== 'Deleting' &&
        other.ipAddressId === one.ipAddressId &&
        other.protocol === one.protocol &&
        overlap(other, one) &&
        other.sourceCidrs.some((cidr) => one.sourceCidrs.includes(cidr)),
    );
    if (conflict && one.state !== 'Deleting') return false;
    const id = one.id === '' ? this.#id('fw') : one.id;
    this.firewallRules.set(id, { ...one, id });
    return true;
  }

  addAclItem(one: NetworkAclItem): void {
    const number = Math.max(0, ...[...this.aclItems.values()].map((item) => item.number)) + 1;
    const id = this.#id('item');
    this.aclItems.set(id, { ...one, id, number });
  }

  /** @throws what CloudStack would refuse */
  apply(action: Action): void {
    switch (action.kind) {
      case 'create-rule':
        return this.#createRule(action);
      case 'update-rule':
        return this.#updateRule(action);
      case 'delete-rule':
        this.#must(this.rules.delete(action.id), 'unknown rule');
        this.members.delete(action.id);
        this.policies.delete(action.id);
        return;
      case 'add-members':
        return this.#addMembers(this.#resolve(action.rule), action.members);
      case 'remove-members':
        return this.#removeMembers(this.#resolve(action.rule), action.members);
      case 'set-stickiness': {
        const { method: methodName, parameters: params } = action.stickiness;
        const policy = { id: this.#id('policy'), name: '', methodName, params, description: MANAGED_POLICY };
        this.policies.set(this.#resolve(action.rule), [{ ...policy, state: undefined }]);
        return;
      }
      case 'remove-stickiness':
        for (const [id, policies] of this.policies) {
          this.policies.set(
            id,
            policies.filter((policy) => policy.id !== action.id),
          );
        }
        return;
      case 'create-firewall-rule': {
        const { addressId: ipAddressId, address: ipAddress, transport: protocol, port, sourceCidrs } = action;
        const id = this.#id('fw');
        const made = firewallRule({
          id,
          ipAddressId,
          ipAddress,
          protocol,
          startPort: port,
          endPort: port,
          sourceCidrs,
        });
        this.#must(this.addFirewallRule(made), '537 firewall rule conflicts');
        this.#planned.set(action.key, id);
        return;
      }
      case 'delete-firewall-rule':
        return this.#must(this.firewallRules.delete(action.id), 'unknown firewall rule');
      case 'create-acl-item': {
        const { aclId, aclName, transport: protocol, port: startPort, sourceCidrs, reason } = action;
        return this.addAclItem(aclItem({ aclId, aclName, protocol, startPort, sourceCidrs, reason }));
      }
      case 'update-acl-item': {
        const item = this.aclItems.get(action.id);
        if (!item) throw new Error('unknown item');
        return void this.aclItems.set(item.id, { ...item, ...action.changes });
      }
      case 'delete-acl-item':
        return this.#must(this.aclItems.delete(action.id), 'unknown item');
      case 'add-tags':
        return action.objects.forEach((object) => this.#tag(this.#resolve(object), action.tags));
      case 'remove-tags':
      case 'associate-address':
      case 'release-address':
        throw new Error(`not part of this model: ${action.kind}`);
    }
  }

  #createRule(action: Extract<Action, { kind: 'create-rule' }>): void {
    const { sourceCidrs } = action;
    this.#must(this.#features.ruleSourceCidrs || sourceCidrs === undefined, '431 cidrList is deprecated');
    const { name, description, protocol, algorithm, networkId, publicPort, privatePort } = action;
    const id = this.#id('rule');
    const place = { publicIpId: action.addressId, publicIp: action.address, publicPort, privatePort, networkId };
    const made = rule({ id, name, description, protocol, algorithm, ...place, sourceCidrs, state: 'Add' });
    this.#must(this.addRule(made), '537 port is taken');
    this.#planned.set(name, id);
  }

  #updateRule({ id, changes }: Extract<Action, { kind: 'update-rule' }>): void {
    const present = this.rules.get(id);
    if (!present) throw new Error('unknown rule');
    const { sourceCidrs, ...others } = changes;
    const known = this.#features.changeRuleSourceCidrs ? changes : others;
    this.#must(Object.keys(known).length > 0, '530 Failed to update load balancer rule');
    this.rules.set(id, { ...present, ...known });
    this.#must(sourceCidrs === undefined || 'sourceCidrs' in known, 'the source list would be ignored');
  }

  #addMembers(id: string, added: readonly Member[]): void {
    const present = this.members.get(id) ?? [];
    const twice = added.some((one) => present.some((member) => member.machineId === one.machineId));
    this.#must(!twice && added.length > 0, '530 Failed to assign load balancer rule');
    this.members.set(id, [...present, ...added]);
    this.#setState(id, 'Active');
  }

  #removeMembers(id: string, removed: readonly Member[]): void {
    const left = (this.members.get(id) ?? []).filter(
      (one) => !removed.some((gone) => gone.machineId === one.machineId),
    );
    this.members.set(id, left);
    if (left.length === 0) this.#setState(id, 'Add');
  }

  #setState(id: string, state: string): void {
    const present = this.rules.get(id);
    if (!present) throw new Error('unknown rule');
    this.rules.set(id, { ...present, state });
  }

  #tag(id: string, tags: readonly Tag[]): void {
    const present = this.firewallRules.get(id);
    if (!present) throw new Error('unknown resource');
    const twice = tags.some((one) => present.tags.some((tag) => tag.key === one.key));
    this.#must(!twice, '530 tag already on');
    this.firewallRules.set(id, { ...present, tags: [...present.tags, ...tags] });
  }

  #resolve(ref: Ref): string {
    const id = 'id' in ref ? ref.id : this.#planned.get(ref.planned);
    if (id === undefined) throw new Error('nothing was made under that name');
    return id;
  }

  #must(condition: boolean, refusal: string): void {
    if (!condition) throw new Error(refusal);
  }

  #id(kind: string): string {
    return `${kind}-made-${this.#next++}`;
  }
}

function overlap(left: FirewallRule, right: FirewallRule): boolean {
  if (left.startPort === undefined || right.startPort === undefined) return false;
  return left.startPort <= (right.endPort ?? 0) && right.startPort <= (left.endPort ?? 0);
}
