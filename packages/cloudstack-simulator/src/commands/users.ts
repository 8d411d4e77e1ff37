import { checkAccess, inDomain } from '../access.ts';
import { invalidValue, permissionDenied } from '../api-error.ts';
import { isDomainAdmin, isRoot, type Call } from '../call.ts';
import { sameText } from '../collation.ts';
import { asynchronous, list, sync } from '../command.ts';
import { formatDate } from '../date.ts';
import type { JsonObject } from '../json.ts';
import { like } from '../paging.ts';
import { PAGE, type MapEntry } from '../parameter.ts';
import { findAccount } from '../scope.ts';
import type { AccountState, KeyPair, User } from '../state.ts';
import { accountTypeNumber, showUser } from '../views/account.ts';

const ID = { id: { type: 'uuid', of: 'user', required: true } } as const;

/** One's own account's; administrators see further if they ask for it. */
function visible(call: Call, wide: boolean): (user: User) => boolean {
  const { state, caller } = call;
  if (!isRoot(call) && !isDomainAdmin(call)) return (user) => user.id === caller.user.id;
  if (!wide) return (user) => user.accountId === caller.account.id;
  if (isRoot(call)) return () => true;
  return (user) => inDomain(state, state.accounts.get(user.accountId)?.domainId ?? '', caller.domain.id);
}

/** @throws ApiError 531 for another account's user. */
function reachable(call: Call, id: string): User {
  const user = call.state.users.get(id);
  if (!user) throw invalidValue(`Unable to find user by id ${id}`);
  checkAccess(call, user.accountId);
  return user;
}

function showKeys({ apiKey, secretKey }: Pick<User, 'apiKey' | 'secretKey'>, call: Call): JsonObject {
  const access = call.profile.severalKeys ? { apikeyaccess: 'Inherit' } : {};
  return { userkeys: { apikey: apiKey, secretkey: secretKey, ...access } };
}

function showPair({ id, name, apiKey, from, until }: KeyPair): JsonObject {
  return {
    id,
    name,
    apikey: apiKey,
    startdate: from === undefined ? undefined : formatDate(from),
    enddate: until === undefined ? undefined : formatDate(until),
  };
}

interface PairRequest {
  readonly name?: string | undefined;
  readonly startdate?: string | undefined;
  readonly enddate?: string | undefined;
  readonly rules?: readonly MapEntry[] | undefined;
}

function newPair({ random }: Call, { name, startdate, enddate, rules = [] }: PairRequest): KeyPair {
  const id = random.uuid();
  return {
    id,
    name: name ?? id,
    apiKey: random.key(),
    secretKey: random.key(),
    ...(startdate !== undefined && { from: Date.parse(startdate) }),
    ...(enddate !== undefined && { until: Date.parse(enddate) }),
    rules: rules.map(({ rule = '', permission }) => ({
      id: random.uuid(),
      command: rule,
      allow: permission?.toLowerCase() !== 'deny',
    })),
  };
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
    parameters: {
      ...ID,
      name: { type: 'string', since: '4.23' },
      startdate: { type: 'date', since: '4.23' },
      enddate: { type: 'date', since: '4.23' },
      rules: { type: 'map', since: '4.23' },
    },
    run: (call, { id, ...values }) => {
      const user = reachable(call, id);
      const pair = newPair(call, values);
      // From 4.23 on a user may have several pairs; before, the old one ends at once.
      const keeps = call.profile.severalKeys && user.apiKey !== undefined;
      const { apiKey, secretKey } = pair;
      const keys = keeps ? { furtherKeys: [...(user.furtherKeys ?? []), pair] } : { apiKey, secretKey };
      call.state.users.update(id, keys);
      return showKeys(pair, call);
    },
  }),
  list({
    name: 'listUserKeys',
    description: 'Lists the API key pairs of a user',
    item: 'userapikey',
    since: '4.23',
    parameters: { ...PAGE, userid: { type: 'uuid', of: 'user' } },
    select: (call, { userid }) => reachable(call, userid ?? call.caller.user.id).furtherKeys ?? [],
    show: (pair) => showPair(pair),
  }),
  sync({
    name: 'deleteUserKeys',
    description: 'Deletes an API key pair of a user',
    since: '4.23',
    event: 'DELETE.USER.KEY',
    parameters: { id: { type: 'string', required: true } },
    run: (call, { id }) => {
      const user = call.state.users.find((one) => one.furtherKeys?.some((pair) => pair.id === id) === true);
      if (!user) throw invalidValue(`Unable to find the API key pair ${id}`);
      checkAccess(call, user.accountId);
      const furtherKeys = (user.furtherKeys ?? []).filter((pair) => pair.id !== id);
      call.state.users.update(user.id, { furtherKeys });
      return { success: true };
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
