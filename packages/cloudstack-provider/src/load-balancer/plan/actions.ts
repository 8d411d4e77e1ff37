import type { Tag, TaggedResource } from '@cloudstack-ccm/cloudstack-client';
import type { Member } from '../members/members.ts';
import type { Algorithm, RuleProtocol, Transport } from './protocol.ts';
import type { Stickiness } from '../annotations/stickiness.ts';

/** An object by its id, or by the name under which an earlier action of the same plan makes it. */
export type Ref = { readonly id: string } | { readonly planned: string };

/** A load balancer rule as messages name it. */
export interface RuleRef {
  readonly rule: Ref;
  readonly ruleName: string;
}

export interface CreateRule {
  readonly kind: 'create-rule';
  /** Later actions of the plan refer to the rule by its name. */
  readonly name: string;
  readonly description: string;
  readonly protocol: RuleProtocol;
  readonly algorithm: Algorithm;
  readonly addressId: string;
  readonly address: string;
  readonly networkId: string;
  readonly publicPort: number;
  readonly privatePort: number;
  /** Undefined on servers that refuse the parameter. */
  readonly sourceCidrs: readonly string[] | undefined;
}

export interface UpdateRule {
  readonly kind: 'update-rule';
  readonly id: string;
  readonly ruleName: string;
  readonly changes: RuleChanges;
}

/** What CloudStack can change of a rule in place. */
export type RuleChanges = {
  readonly name?: string;
  readonly protocol?: RuleProtocol;
  readonly algorithm?: Algorithm;
  readonly sourceCidrs?: readonly string[];
};

export interface DeleteRule {
  readonly kind: 'delete-rule';
  readonly id: string;
  readonly ruleName: string;
  readonly address: string;
}

export interface AddMembers extends RuleRef {
  readonly kind: 'add-members';
  readonly members: readonly Member[];
}

export interface RemoveMembers extends RuleRef {
  readonly kind: 'remove-members';
  readonly members: readonly Member[];
}

export interface SetStickiness extends RuleRef {
  readonly kind: 'set-stickiness';
  readonly stickiness: Stickiness;
}

export interface RemoveStickiness {
  readonly kind: 'remove-stickiness';
  readonly id: string;
  readonly ruleName: string;
}

export interface CreateFirewallRule {
  readonly kind: 'create-firewall-rule';
  /** The name under which the tags action finds the rule. */
  readonly key: string;
  readonly addressId: string;
  readonly address: string;
  readonly transport: Transport;
  readonly port: number;
  readonly sourceCidrs: readonly string[];
}

export interface DeleteFirewallRule {
  readonly kind: 'delete-firewall-rule';
  readonly id: string;
  readonly address: string;
  readonly transport: string;
  readonly port: number;
  readonly sourceCidrs: readonly string[];
}

export interface CreateAclItem {
  readonly kind: 'create-acl-item';
  readonly aclId: string;
  readonly aclName: string;
  readonly transport: Transport;
  readonly port: number;
  readonly sourceCidrs: readonly string[];
  readonly reason: string;
}

export interface UpdateAclItem {
  readonly kind: 'update-acl-item';
  readonly id: string;
  readonly aclId: string;
  readonly aclName: string;
  readonly number: number;
  readonly changes: { readonly sourceCidrs?: readonly string[]; readonly reason?: string };
}

export interface DeleteAclItem {
  readonly kind: 'delete-acl-item';
  readonly id: string;
  readonly aclId: string;
  readonly aclName: string;
  readonly number: number;
}

export interface AssociateAddress {
  readonly kind: 'associate-address';
  /** Undefined: any that is free. */
  readonly address: string | undefined;
  readonly networkId: string;
  readonly networkName: string;
  /** The address of a tier is associated with its VPC. */
  readonly vpcId: string | undefined;
}

export interface ReleaseAddress {
  readonly kind: 'release-address';
  readonly id: string;
  readonly address: string;
}

export interface AddTags {
  readonly kind: 'add-tags';
  readonly resourceType: TaggedResource;
  readonly objects: readonly Ref[];
  readonly tags: readonly Tag[];
}

export interface RemoveTags {
  readonly kind: 'remove-tags';
  readonly resourceType: TaggedResource;
  readonly objects: readonly Ref[];
  readonly tags: readonly Tag[];
}

/** Everything this project ever does to the cloud for a load balancer. Each is one command of the API. */
export type Action =
  | CreateRule
  | UpdateRule
  | DeleteRule
  | AddMembers
  | RemoveMembers
  | SetStickiness
  | RemoveStickiness
  | CreateFirewallRule
  | DeleteFirewallRule
  | CreateAclItem
  | UpdateAclItem
  | DeleteAclItem
  | AssociateAddress
  | ReleaseAddress
  | AddTags
  | RemoveTags;

const OPTIONAL = new Set<Action['kind']>([
  'add-tags',
  'remove-tags',
  'create-acl-item',
  'update-acl-item',
  'delete-acl-item',
  'set-stickiness',
  'remove-stickiness',
]);

/** True for what some roles may not do, and without which a load balancer works. */
export function isOptional(action: Action): boolean {
  return OPTIONAL.has(action.kind);
}

/** One line that a person understands: the log of a sync reads like a list of what was done. */
export function describe(action: Action): string {
  switch (action.kind) {
    case 'create-rule':
      return (
        `create rule ${action.name} on ${action.address} → node port ${action.privatePort} ` +
        `(${action.algorithm}${action.sourceCidrs ? `, sources ${action.sourceCidrs.join(', ')}` : ''})`
      );
    case 'update-rule':
      return `change rule ${action.ruleName}: ${describeChanges(action.changes)}`;
    case 'delete-rule':
      return `delete rule ${action.ruleName} on ${action.address}`;
    case 'add-members':
      return `add ${describeMembers(action.members)} to rule ${action.ruleName}`;
    case 'remove-members':
      return `remove ${describeMembers(action.members)} from rule ${action.ruleName}`;
    case 'set-stickiness':
      return `set stickiness ${action.stickiness.method} on rule ${action.ruleName}`;
    case 'remove-stickiness':
      return `remove stickiness from rule ${action.ruleName}`;
    case 'create-firewall-rule':
      return `open ${action.transport} ${action.port} on ${action.address} for ${action.sourceCidrs.join(', ')}`;
    case 'delete-firewall-rule':
      return `close ${action.transport} ${action.port} on ${action.address} for ${action.sourceCidrs.join(', ')}`;
    case 'create-acl-item':
      return `allow ${action.transport} ${action.port} from ${action.sourceCidrs.join(', ')} in network ACL ${action.aclName}`;
    case 'update-acl-item':
      return `change item ${action.number} of network ACL ${action.aclName}: ${describeChanges(action.changes)}`;
    case 'delete-acl-item':
      return `delete item ${action.number} of network ACL ${action.aclName}`;
    case 'associate-address':
      return `associate ${action.address ?? 'a free public IP'} with network ${action.networkName}`;
    case 'release-address':
      return `release public IP ${action.address}`;
    case 'add-tags':
      return `mark ${action.objects.length} ${action.resourceType} as ours`;
    case 'remove-tags':
      return `remove old marks from ${action.objects.length} ${action.resourceType}`;
  }
}

function describeChanges(changes: Readonly<Record<string, string | readonly string[] | undefined>>): string {
  return Object.entries(changes)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => `${WORDS[field] ?? field} ${String(value).replaceAll(',', ', ')}`)
    .join('; ');
}

const WORDS: Readonly<Record<string, string>> = { sourceCidrs: 'sources' };

function describeMembers(members: readonly Member[]): string {
  return members.map((member) => member.name).join(', ');
}
