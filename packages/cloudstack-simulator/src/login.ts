import { ApiError, unauthenticated } from './api-error.ts';
import { callerOf } from './authentication.ts';
import type { Caller } from './call.ts';
import { CONTENT_TYPES, errorContent, serialise, type Format } from './envelope.ts';
import type { JsonObject } from './json.ts';
import type { ApiRequest, ApiResponse } from './request.ts';
import type { Sessions } from './sessions.ts';
import type { AccountType, Domain, State } from './state.ts';
import type { VersionProfile } from './version-profile.ts';

interface LoginServices {
  readonly state: State;
  readonly sessions: Sessions;
  readonly profile: VersionProfile;
}

const TYPE_NUMBERS: Readonly<Record<AccountType, string>> = {
  user: '0',
  admin: '1',
  'domain-admin': '2',
  project: '5',
};
const NEVER = 'Thu, 01 Jan 1970 00:00:00 GMT';

/** A request that belongs to a session: it has the cookie and no signature. */
export function sessionRequest({ sessions }: Pick<LoginServices, 'sessions'>, request: ApiRequest): boolean {
  return sessions.has(request.cookies.get('JSESSIONID')) && !request.parameters.has('signature');
}

/** @throws ApiError 401 for a wrong session key; the session is then over. */
export function sessionCaller(
  { state, sessions }: Pick<LoginServices, 'state' | 'sessions'>,
  request: ApiRequest,
  raw: ReadonlyMap<string, string>,
): Caller {
  const keys = [raw.get('sessionkey'), request.cookies.get('sessionkey')];
  const id = request.cookies.get('JSESSIONID') ?? '';
  const userId = sessions.use(id, keys, state.settings.sessionTimeoutMinutes);
  if (userId === undefined) throw unauthenticated('unable to verify user credentials');
  return callerOf(state, state.users.get(userId));
}

export function login(services: LoginServices, request: ApiRequest, raw: ReadonlyMap<string, string>): ApiResponse {
  const format = request.parameters.get('response')?.toLowerCase() === 'json' ? 'json' : 'xml';
  const cookie = 'JSESSIONID';
  if (request.method !== 'POST') {
    const headers = { ...headersOf(format), 'set-cookie': [`${cookie}=none; Path=/client`], expires: NEVER };
    return { status: 405, headers, body: 'Please use HTTP POST to authenticate using this API' };
  }
  const { state, sessions, profile } = services;
  const domain = findDomain(state, raw);
  const user = domain && findUser(state, domain, raw.get('username'), raw.get('password'));
  if (!user) return refuse(services, format, raw.get('username') ?? '', domain);
  const caller = callerOf(state, user);
  const session = sessions.open(user.id);
  const body = serialise(format, 'loginresponse', content(state, caller, session.key), profile.version);
  const cookies = [`${cookie}=${session.id}; Path=/client`, `sessionkey=${session.key};HttpOnly`];
  return { status: 200, headers: { ...headersOf(format), 'set-cookie': cookies, expires: NEVER }, body };
}

export function logout({ sessions, profile }: LoginServices, request: ApiRequest): ApiResponse {
  const format = request.parameters.get('response')?.toLowerCase() === 'json' ? 'json' : 'xml';
  sessions.close(request.cookies.get('JSESSIONID') ?? '');
  const body = serialise(format, 'logoutresponse', { description: 'success' }, profile.version);
  return { status: 200, headers: headersOf(format), body };
}

/** The domain by id, or by its path below the root, without the word ROOT. No domain means the root. */
function findDomain(state: State, raw: ReadonlyMap<string, string>): Domain | undefined {
  const id = raw.get('domainid');
  if (id !== undefined) return state.domains.get(id);
  const path = (raw.get('domain') ?? '').replace(/^\/+|\/+$/g, '');
  return state.domains.find((domain) => domain.path === (path === '' ? 'ROOT' : `ROOT/${path}`));
}

function findUser(
  state: State,
  domain: Domain,
  username: string | undefined,
  password: string | undefined,
): ReturnType<State['users']['get']> {
  return state.users.find(
    (user) =>
      user.username === username &&
      user.password !== undefined &&
      user.password === password &&
      state.accounts.get(user.accountId)?.domainId === domain.id,
  );
}

function refuse(services: LoginServices, format: Format, name: string, domain: Domain | undefined): ApiResponse {
  const text = `Failed to authenticate user ${name} in domain ${domain?.internalId ?? 'null'}; please provide valid credentials`;
  const error = new ApiError(text, { status: 531 });
  const body = serialise(format, 'loginresponse', errorContent(error), services.profile.version);
  const headers = { ...headersOf(format), 'set-cookie': ['JSESSIONID=none; Path=/client'], expires: NEVER };
  return { status: 531, headers, body };
}

function content(state: State, { user, account, domain }: Caller, sessionKey: string): JsonObject {
  return {
    username: user.username,
    userid: user.id,
    domainid: domain.id,
    timeout: state.settings.sessionTimeoutMinutes * 60,
    account: account.name,
    firstname: user.firstname,
    lastname: user.lastname,
    type: TYPE_NUMBERS[account.type],
    timezone: user.timezone,
    timezoneoffset: user.timezone === undefined ? undefined : '0.0',
    registered: 'false',
    sessionkey: sessionKey,
    is2faenabled: 'false',
    is2faverified: 'true',
    issuerfor2fa: 'CloudStack',
  };
}

function headersOf(format: Format): Record<string, string> {
  return { 'content-type': CONTENT_TYPES[format], 'x-content-type-options': 'nosniff' };
}
