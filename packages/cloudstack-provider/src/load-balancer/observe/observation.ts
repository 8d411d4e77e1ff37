import { asError, type Scope } from '@cloudstack-ccm/base';
import { InvalidParameterError, type LoadBalancerRule, type NetworkAclItem } from '@cloudstack-ccm/cloudstack-client';
import type { AddressReader } from '../../public-ip/address-reader.ts';
import { isDenial } from './denial.ts';
import { observe, type Observed } from '../plan/observed.ts';
import type { LoadBalancerReader, Unread } from './read.ts';
import type { ServerFeatures } from '../plan/server-features.ts';

/** Which parts of a load balancer are to be read. */
export interface Wanted {
  readonly rules: readonly LoadBalancerRule[];
  readonly members: boolean;
  readonly policies: boolean;
  /** Addresses whose firewall rules matter. */
  readonly firewallsOf: readonly string[];
  /** The ACL list whose items matter, or all lists. */
  readonly acl: { readonly id: string } | 'all' | 'none';
  readonly features: ServerFeatures;
}

export interface Observation {
  readonly observed: Observed;
  readonly unread: readonly Unread[];
  /** Stickiness policies may not be listed by our key. */
  readonly policiesForbidden: Error | undefined;
  /** Network ACL items may not be listed by our key. */
  readonly aclForbidden: Error | undefined;
}

/** Reads a load balancer, all parts at once. What may not be read is told apart from what failed. */
export async function look(scope: Scope, reader: LoadBalancerReader, wanted: Wanted): Promise<Observation> {
  const live = wanted.rules.filter((rule) => rule.state !== 'Deleting');
  const [members, policies, firewalls, acl] = await Promise.all([
    reader.members(scope, wanted.members ? live : []),
    reader.policies(scope, wanted.policies ? live : []),
    Promise.all(wanted.firewallsOf.map((id) => reader.firewallRules(scope, id))),
    readAcl(scope, reader, wanted),
  ]);
  const policiesForbidden = policies.unread.find(({ error }) => isDenial(error, wanted.features))?.error;
  const observed = observe({
    rules: wanted.rules,
    members: members.byRule,
    policies: policies.byRule,
    firewallRules: firewalls.flat(),
    aclItems: acl.items,
  });
  const unread = [...members.unread, ...(policiesForbidden ? [] : policies.unread)];
  return { observed, unread, policiesForbidden, aclForbidden: acl.forbidden };
}

/** What could be read while addresses change their state. */
export interface Settled {
  readonly observation: Observation;
  /** Ids of the addresses that are between two states: CloudStack refuses to list their firewall rules. */
  readonly between: readonly string[];
}

interface Readers {
  readonly reader: LoadBalancerReader;
  readonly addresses: Pick<AddressReader, 'byId'>;
}

/** Reads a load balancer without the firewall rules of addresses that are between two states. */
export async function lookAtSettled(scope: Scope, { reader, addresses }: Readers, wanted: Wanted): Promise<Settled> {
  try {
    return { observation: await look(scope, reader, wanted), between: [] };
  } catch (thrown) {
    if (!(thrown instanceof InvalidParameterError)) throw thrown;
    const found = await Promise.all(wanted.firewallsOf.map((id) => addresses.byId(scope, id)));
    const firewallsOf = found.flatMap((address) => (address?.state === 'Allocated' ? [address.id] : []));
    const between = wanted.firewallsOf.filter((id) => !firewallsOf.includes(id));
    if (between.length === 0) throw thrown;
    return { observation: await look(scope, reader, { ...wanted, firewallsOf }), between };
  }
}

async function readAcl(
  scope: Scope,
  reader: LoadBalancerReader,
  { acl, features }: Wanted,
): Promise<{ readonly items: readonly NetworkAclItem[]; readonly forbidden: Error | undefined }> {
  if (acl === 'none') return { items: [], forbidden: undefined };
  try {
    return { items: await reader.aclItems(scope, acl === 'all' ? undefined : acl.id), forbidden: undefined };
  } catch (thrown) {
    if (!isDenial(thrown, features)) throw thrown;
    return { items: [], forbidden: asError(thrown) };
  }
}
