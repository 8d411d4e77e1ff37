import { checkAccess, inDomain } from '../access.ts';
import { invalidValue, permissionDenied } from '../api-error.ts';
import { isDomainAdmin, isRoot, type Call } from '../call.ts';
import { sameText } from '../collation.ts';
import { asynchronous, list, sync } from '../command.ts';
import type { JsonObject } from '../json.ts';
import { like } from '../paging.ts';
import { PAGE } from '../parameter.ts';
import { findAccount } from '../scope.ts';
import type { AccountState, User } from '../state.ts';
import { accountTypeNumber, showUser } from '../views/account.ts';

const ID = { id: { type: 'uuid', of: 'user', required: true } } as const;

function visible(call: Call, listall: boolean | undefined): (user: User) => boolean {
  const { state, caller } = call;
  if (isRoot(call))
    return (user) => listall === true || state.accounts.get(user.accountId)?.domainId === caller.domain.id;
  if (isDomainAdmin(call)) {
    return (user) => inDomain(state, state.accounts.get(user.accountId)?.domainId ?? '', caller.domain.id);
  }
  return (user) => user.id === caller.user.id;
}

/** @throws ApiError 531 for another account's user. */
function reachable(call: Call, id: string): User {
  const user = call.state.users.get(id);
  if (!user) throw invalidValue(`Unable to find user by id ${id}`);
  checkAccess(call, user.accountId);
  return user;
}

function showKeys(user: User, call: Call): JsonObject {
  const access = call.profile.severalKeys ? { apikeyaccess: 'Inherit' } : {};
  return { userkeys: { apikey: user.apiKey, secretkey: user.secretKey, ...access } };
}

function setState(call: Call, id: string, state: AccountState): { readonly user: JsonObject } {
  const { accountId } = reachable(call, id);
  checkAccess(call, accountId);
  const user = call.state.users.update(id, { state });
  return { user: user ? showUser(user, call) : {} };
}

export const userCommands = [
  list({
    name: 'listUsers',
    description: 'Lists user accounts',
    item: 'user',
    parameters: {
      ...PAGE,
      id: { type: 'uuid', of: 'user' },
      username: { type: 'string' },
      account: { type: 'string' },
      domainid: { type: 'uuid', of: 'domain' },
      listall: { type: 'boolean' },
      isrecursive: { type: 'boolean' },
      accounttype: { type: 'integer' },
      state: { type: 'string' },
    },
    select: (call, values) => {
      const { id, username, account, domainid, accounttype, state, keyword, listall } = values;
      if (id !== undefined && id !== call.caller.user.id && !isRoot(call) && !isDomainAdmin(call)) {
        throw permissionDenied('Calling user is not authorized to see the user requested by id');
      }
      const owner = account === undefined ? undefined : findAccount(call, account, domainid);
      const mine = visible(call, listall === true || id !== undefined || domainid !== undefined || owner !== undefined);
      return call.state.users.filter((user) => {
        const row = call.state.accounts.get(user.accountId);
        return (
          mine(user) &&
          user.username !== 'system' &&
          (id === undefined || user.id === id) &&
          (username === undefined || sameText(user.username, username)) &&
          (owner === undefined || user.accountId === owner) &&
          (domainid === undefined || row?.domainId === domainid) &&
          (accounttype === undefined || (row && accountTypeNumber(row.type)) === accounttype) &&
          (state === undefined || user.state === state) &&
          (keyword === undefined || like(user.username, keyword) || like(user.email, keyword))
        );
      });
    },
    show: showUser,
  }),
  sync({
    name: 'getUser',
    description: 'Find user account by API key',
    readOnly: true,
    roles: ['Admin'],
    parameters: { userapikey: { type: 'string', required: true } },
    run: (call, { userapikey }) => {
      const [user] = call.state.users.by('apiKey', userapikey);
      if (!user) throw invalidValue(`User with specified API key does not exist`);
      return { user: showUser(user, call) };
    },
  }),
  sync({
    name: 'getUserKeys',
    description: 'This command allows the user to query the seceret and API keys for the account',
    readOnly: true,
    since: '4.10',
    parameters: ID,
    run: (call, { id }) => showKeys(reachable(call, id), call),
  }),
  sync({
    name: 'registerUserKeys',
    description: 'This command allows a user to register for the developer API, returning a secret key and an API key.',
    event: 'REGISTER.USER.KEY',
    parameters: ID,
    run: (call, { id }) => {
      reachable(call, id);
      const { random, state } = call;
      const user = state.users.update(id, { apiKey: random.key(), secretKey: random.key() });
      return user ? showKeys(user, call) : {};
    },
  }),
  sync({
    name: 'createUser',
    description: 'Creates a user for an account that already exists',
    roles: ['Admin', 'DomainAdmin'],
    event: 'USER.CREATE',
    parameters: {
      account: { type: 'string', required: true },
      domainid: { type: 'uuid', of: 'domain' },
      username: { type: 'string', required: true },
      password: { type: 'string', required: true },
      firstname: { type: 'string', required: true },
      lastname: { type: 'string', required: true },
      email: { type: 'string', required: true },
      timezone: { type: 'string' },
    },
    run: (call, { account, domainid, ...fields }) => {
      const accountId = findAccount(call, account, domainid);
      const domainId = call.state.accounts.get(accountId)?.domainId;
      const taken = call.state.users.find(
        (user) => user.username === fields.username && call.state.accounts.get(user.accountId)?.domainId === domainId,
      );
      if (taken) throw invalidValue(`The user ${fields.username} already exists in domain ${domainId}`);
      const { timezone, ...rest } = fields;
      const user = call.state.users.add({
        id: call.random.uuid(),
        accountId,
        ...rest,
        ...(timezone !== undefined && { timezone }),
        state: 'enabled',
        created: call.clock.now(),
      });
      return { user: showUser(user, call) };
    },
  }),
  sync({
    name: 'enableUser',
    description: 'Enables a user account',
    roles: ['Admin', 'DomainAdmin'],
    event: 'USER.ENABLE',
    parameters: ID,
    run: (call, { id }) => setState(call, id, 'enabled'),
  }),
  asynchronous({
    name: 'disableUser',
    description: 'Disables a user account',
    commandClass: 'admin.user.DisableUserCmd',
    roles: ['Admin', 'DomainAdmin'],
    event: 'USER.DISABLE',
    parameters: ID,
    run: async (call, { id }, job) => {
      await job.work();
      return setState(call, id, 'disabled');
    },
  }),
  sync({
    name: 'deleteUser',
    description: 'Deletes a user for an account',
    roles: ['Admin', 'DomainAdmin'],
    event: 'USER.DELETE',
    parameters: ID,
    run: (call, { id }) => {
      reachable(call, id);
      call.state.users.delete(id);
      return { success: true };
    },
  }),
];
