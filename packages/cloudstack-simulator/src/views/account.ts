import { isDomainAdmin, isRoot, type Call } from '../call.ts';
import { formatDate } from '../date.ts';
import type { JsonObject } from '../json.ts';
import type { Account, AccountType, User } from '../state.ts';
import { supports } from '../version-profile.ts';
import { showDomain } from './owner.ts';

const TYPE_NUMBERS: Readonly<Record<AccountType, number>> = { user: 0, admin: 1, 'domain-admin': 2, project: 5 };

export function accountTypeNumber(type: AccountType): number {
  return TYPE_NUMBERS[type];
}

export function showUser(user: User, call: Call): JsonObject {
  const { state, caller, profile } = call;
  const account = state.accounts.get(user.accountId);
  const role = account && state.roles.get(account.roleId);
  const privileged = user.id === caller.user.id || isRoot(call) || isDomainAdmin(call);
  return {
    id: user.id,
    username: user.username,
    firstname: user.firstname,
    lastname: user.lastname,
    email: user.email,
    created: formatDate(user.created),
    state: user.state,
    account: account?.name,
    accounttype: account && TYPE_NUMBERS[account.type],
    usersource: 'native',
    roleid: role?.id,
    roletype: role?.type,
    rolename: role?.name,
    ...(account && showDomain(call, account.domainId)),
    apikey: privileged ? user.apiKey : undefined,
    accountid: user.accountId,
    iscallerchilddomain: false,
    isdefault: user.username === 'admin' && account?.type === 'admin',
    is2faenabled: supports(profile, '4.18') ? false : undefined,
    is2famandated: supports(profile, '4.18') ? false : undefined,
  };
}

export function showAccount(account: Account, call: Call): JsonObject {
  const { state } = call;
  const role = state.roles.get(account.roleId);
  return {
    id: account.id,
    name: account.name,
    accounttype: TYPE_NUMBERS[account.type],
    roleid: role?.id,
    roletype: role?.type,
    rolename: role?.name,
    ...showDomain(call, account.domainId),
    state: account.state,
    created: formatDate(account.created),
    isdefault: account.name === 'admin' && account.type === 'admin',
    user: state.users.by('accountId', account.id).map((user) => showUser(user, call)),
    groups: [],
  };
}
