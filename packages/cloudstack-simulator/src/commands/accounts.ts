import { checkAccess, inDomain } from '../access.ts';
import { invalidValue } from '../api-error.ts';
import { isDomainAdmin, isRoot, type Call } from '../call.ts';
import { sameText } from '../collation.ts';
import { asynchronous, list, sync } from '../command.ts';
import type { JsonObject } from '../json.ts';
import { like } from '../paging.ts';
import { PAGE } from '../parameter.ts';
import { findAccount } from '../scope.ts';
import type { Account, AccountState, AccountType, RoleType } from '../state.ts';
import { accountTypeNumber, showAccount } from '../views/account.ts';

const TYPES: Readonly<Record<RoleType, AccountType>> = {
  Admin: 'admin',
  ResourceAdmin: 'admin',
  DomainAdmin: 'domain-admin',
  User: 'user',
};

function visible(call: Call, listall: boolean): (account: Account) => boolean {
  const { state, caller } = call;
  if (isRoot(call) && listall) return () => true;
  if (isRoot(call)) return (account) => account.domainId === caller.domain.id;
  if (isDomainAdmin(call)) return (account) => inDomain(state, account.domainId, caller.domain.id);
  return (account) => account.id === caller.account.id;
}

interface Reference {
  readonly id?: string | undefined;
  readonly account?: string | undefined;
  readonly domainid?: string | undefined;
}

function referenced(call: Call, { id, account, domainid }: Reference): string {
  const found = id ?? (account === undefined ? undefined : findAccount(call, account, domainid));
  if (found === undefined) throw invalidValue('Please specify the account by id, or by account and domainId');
  checkAccess(call, found);
  return found;
}

function setState(call: Call, id: string, state: AccountState): { readonly account: JsonObject } {
  const account = call.state.accounts.update(id, { state });
  return { account: account ? showAccount(account, call) : {} };
}

const REFERENCE = {
  id: { type: 'uuid', of: 'account' },
  account: { type: 'string' },
  domainid: { type: 'uuid', of: 'domain' },
} as const;

function roleFor(
  call: Call,
  roleid: string | undefined,
  accounttype: number | undefined,
): { id: string; type: RoleType } {
  if (roleid !== undefined) {
    const role = call.state.roles.get(roleid);
    if (role) return role;
  }
  const type: RoleType = accounttype === 1 ? 'Admin' : accounttype === 2 ? 'DomainAdmin' : 'User';
  const role = call.state.roles.find((one) => one.isDefault && one.type === type);
  if (!role) throw invalidValue('Both account type and role ID are not provided');
  return role;
}

export const accountCommands = [
  list({
    name: 'listAccounts',
    description: 'Lists accounts and provides detailed account information for listed accounts',
    item: 'account',
    parameters: {
      ...PAGE,
      id: { type: 'uuid', of: 'account' },
      name: { type: 'string' },
      domainid: { type: 'uuid', of: 'domain' },
      listall: { type: 'boolean' },
      isrecursive: { type: 'boolean' },
      accounttype: { type: 'integer' },
      state: { type: 'string' },
    },
    select: (call, { id, name, domainid, accounttype, state, keyword, listall }) => {
      const mine = visible(call, listall === true || id !== undefined || domainid !== undefined);
      return call.state.accounts.filter(
        (account) =>
          mine(account) &&
          account.type !== 'project' &&
          account.name !== 'system' &&
          (id === undefined || account.id === id) &&
          (name === undefined || sameText(account.name, name)) &&
          (domainid === undefined || account.domainId === domainid) &&
          (accounttype === undefined || accountTypeNumber(account.type) === accounttype) &&
          (state === undefined || account.state === state) &&
          (keyword === undefined || like(account.name, keyword)),
      );
    },
    show: showAccount,
  }),
  sync({
    name: 'createAccount',
    description: 'Creates an account',
    roles: ['Admin', 'DomainAdmin'],
    event: 'ACCOUNT.CREATE',
    parameters: {
      accounttype: { type: 'integer' },
      roleid: { type: 'uuid', of: 'role' },
      account: { type: 'string' },
      domainid: { type: 'uuid', of: 'domain' },
      username: { type: 'string', required: true },
      password: { type: 'string', required: true },
      firstname: { type: 'string', required: true },
      lastname: { type: 'string', required: true },
      email: { type: 'string', required: true },
      timezone: { type: 'string' },
    },
    run: (call, { accounttype, roleid, account: name, domainid, timezone, ...user }) => {
      const { state, random, clock, caller } = call;
      const domainId = domainid ?? caller.domain.id;
      const accountName = name ?? user.username;
      if (state.accounts.find((row) => row.name === accountName && row.domainId === domainId)) {
        throw invalidValue(`The specified account: ${accountName} already exists`);
      }
      const role = roleFor(call, roleid, accounttype);
      const created = clock.now();
      const account = state.accounts.add({
        id: random.uuid(),
        name: accountName,
        domainId,
        type: TYPES[role.type],
        roleId: role.id,
        state: 'enabled',
        created,
      });
      state.users.add({
        id: random.uuid(),
        accountId: account.id,
        ...user,
        ...(timezone !== undefined && { timezone }),
        state: 'enabled',
        created,
      });
      return { account: showAccount(account, call) };
    },
  }),
  sync({
    name: 'enableAccount',
    description: 'Enables an account',
    roles: ['Admin', 'DomainAdmin'],
    event: 'ACCOUNT.ENABLE',
    parameters: REFERENCE,
    run: (call, values) => setState(call, referenced(call, values), 'enabled'),
  }),
  asynchronous({
    name: 'disableAccount',
    description: 'Disables an account',
    commandClass: 'admin.account.DisableAccountCmd',
    roles: ['Admin', 'DomainAdmin'],
    event: 'ACCOUNT.DISABLE',
    parameters: { ...REFERENCE, lock: { type: 'boolean', required: true } },
    run: async (call, values, job) => {
      const id = referenced(call, values);
      await job.work();
      return setState(call, id, values.lock ? 'locked' : 'disabled');
    },
  }),
];
