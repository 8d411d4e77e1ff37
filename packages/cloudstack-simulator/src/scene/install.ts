import type { Backend } from '../operations/backend.ts';
import type { Account, RoleType, User } from '../state.ts';
import { NETWORK_OFFERINGS, SERVICE_OFFERINGS, VPC_OFFERINGS } from './offerings.ts';

/** What every installation has before anybody works with it. @returns the root administrator. */
export function install(backend: Backend): { readonly account: Account; readonly user: User } {
  const { state, random } = backend;
  skipSystemRows(backend);
  const root = state.domains.add({ id: random.uuid(), name: 'ROOT', path: 'ROOT' });
  for (const [name, type] of ROLES) {
    state.roles.add({ id: random.uuid(), name, type, description: `Default ${name}`, isDefault: true, rules: [] });
  }
  addAdmin(backend, 'system', root.id);
  const admin = addAdmin(backend, 'admin', root.id);
  addOfferings(backend);
  addAclLists(backend);
  return admin;
}

/** System networks, offerings and machines have the first numbers of their tables. */
function skipSystemRows({ state }: Backend): void {
  state.networkOfferings.sequence.next = 7;
  state.networks.sequence.next = 204;
  state.virtualMachines.sequence.next = 3;
}

const ROLES: readonly (readonly [string, RoleType])[] = [
  ['Root Admin', 'Admin'],
  ['Resource Admin', 'ResourceAdmin'],
  ['Domain Admin', 'DomainAdmin'],
  ['User', 'User'],
];

function addAdmin({ state, random, clock }: Backend, name: string, domainId: string): { account: Account; user: User } {
  const created = clock.now();
  const roleId = state.roles.byInternalId(1)?.id ?? '';
  const account = state.accounts.add({
    id: random.uuid(),
    name,
    domainId,
    type: 'admin',
    roleId,
    state: 'enabled',
    created,
  });
  const keys = name === 'admin' ? { apiKey: random.key(), secretKey: random.key(), password: 'password' } : {};
  const user = state.users.add({
    id: random.uuid(),
    accountId: account.id,
    username: name,
    firstname: name,
    lastname: 'cloud',
    email: `${name}@example.org`,
    state: 'enabled',
    ...keys,
    created,
  });
  return { account, user };
}

function addOfferings({ state, random, clock }: Backend): void {
  const created = clock.now();
  for (const offering of NETWORK_OFFERINGS) state.networkOfferings.add({ id: random.uuid(), ...offering, created });
  for (const offering of VPC_OFFERINGS) state.vpcOfferings.add({ id: random.uuid(), ...offering, created });
  for (const offering of SERVICE_OFFERINGS) state.serviceOfferings.add({ id: random.uuid(), ...offering, created });
  state.templates.add({
    id: random.uuid(),
    name: 'CentOS 5.6 (64-bit) no GUI (Simulator)',
    displaytext: 'CentOS 5.6 (64-bit) no GUI (Simulator)',
    osTypeId: random.uuid(),
    osDisplayName: 'CentOS 5.6 (64-bit)',
    passwordEnabled: false,
    state: 'Active',
    created,
  });
}

function addAclLists({ state, random }: Backend): void {
  for (const [name, action] of [
    ['default_deny', 'Deny'],
    ['default_allow', 'Allow'],
  ] as const) {
    const description = `Default Network ACL ${action} All`;
    const list = state.aclLists.add({ id: random.uuid(), name, description, isDefault: true });
    for (const [index, trafficType] of (['Ingress', 'Egress'] as const).entries()) {
      state.aclItems.add({
        id: random.uuid(),
        listId: list.id,
        protocol: 'all',
        cidrs: ['0.0.0.0/0'],
        trafficType,
        number: index + 1,
        action,
        state: 'Active',
      });
    }
  }
}
