import { createEvent } from './events.ts';
import { ApiError, MASKED_TEXT, unauthenticated } from './api-error.ts';
import { callerOf, checkExpiry, rulesOf, secretFor } from './authentication.ts';
import { isRoot, type Call, type Caller, type Services } from './call.ts';
import type { CallLog, Outcome } from './call-log.ts';
import { envelopeOf, nameInTexts, type Command, type ListCommand } from './command.ts';
import { convert } from './convert.ts';
import { displayed, rememberDisplay } from './display.ts';
import { CONTENT_TYPES, errorContent, serialise, type Format } from './envelope.ts';
import type { JsonObject } from './json.ts';
import { login, logout, sessionCaller, sessionRequest } from './login.ts';
import { changeRows } from './operations/page-changes.ts';
import { expungeDue } from './operations/virtual-machines.ts';
import type { PageChange } from './page-change.ts';
import { checkPage, pageOf, type Page } from './paging.ts';
import type { Values, ParameterTable } from './parameter.ts';
import { checkProjectMembership } from './project-check.ts';
import { tooManyCalls } from './rate-limit.ts';
import { lowerNames, type ApiRequest, type ApiResponse } from './request.ts';
import { allows, permits, roleDenial } from './roles.ts';
import type { Sessions } from './sessions.ts';
import { verify } from './signature.ts';
import { supports } from './version-profile.ts';

export interface ApiOptions extends Services {
  readonly commands: ReadonlyMap<string, Command>;
  readonly sessions: Sessions;
  readonly callLog: CallLog;
  readonly writeLog: CallLog;
}

interface Exchange {
  readonly request: ApiRequest;
  readonly raw: ReadonlyMap<string, string>;
  readonly format: Format;
  readonly command: Command | undefined;
  readonly change: PageChange | undefined;
  caller: Caller | undefined;
}

/** The API without its transport: a request in, an answer out. */
export class Api {
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  /** Carries the request out. @param change what happens to a list between the page before and this one. */
  handle(request: ApiRequest, change?: PageChange): ApiResponse {
    expungeDue(this.#options);
    const raw = lowerNames(request.parameters);
    const name = request.parameters.get('command');
    if (name === 'login') return login(this.#options, request, raw);
    if (name === 'logout') return logout(this.#options, request);
    const exchange: Exchange = {
      request,
      raw,
      format: request.parameters.get('response')?.toLowerCase() === 'json' ? 'json' : 'xml',
      command: this.#command(name),
      change,
      caller: undefined,
    };
    return this.#answer(exchange, name);
  }

  /** The account that a request names, before anything is checked: what fault rules match on. */
  accountOf(request: ApiRequest): string | undefined {
    const key = lowerNames(request.parameters).get('apikey');
    const user = key === undefined ? undefined : this.#options.state.users.by('apiKey', key)[0];
    return user && this.#options.state.accounts.get(user.accountId)?.name;
  }

  /** True if the command can change something. */
  changes(name: string): boolean {
    const command = this.#command(name);
    return command !== undefined && command.readOnly !== true;
  }

  /** The answer to a request that a fault rule turned down. */
  refuse(request: ApiRequest, error: ApiError): ApiResponse {
    const name = request.parameters.get('command');
    const format = request.parameters.get('response')?.toLowerCase() === 'json' ? 'json' : 'xml';
    return this.#errorResponse(error, format, this.#command(name), name);
  }

  throttle(request: ApiRequest, retryMs: number): ApiResponse {
    const error = tooManyCalls(retryMs);
    return error instanceof ApiError
      ? this.refuse(request, error)
      : this.refuse(request, new ApiError('', { status: 429 }));
  }

  #command(name: string | undefined): Command | undefined {
    const command = name === undefined ? undefined : this.#options.commands.get(name);
    return command && supports(this.#options.profile, command.since) ? command : undefined;
  }

  #answer(exchange: Exchange, name: string | undefined): ApiResponse {
    try {
      exchange.caller = this.#authenticate(exchange, name);
      const command = exchange.command;
      if (!command) throw roleDenial(this.#call(exchange, exchange.caller), name ?? 'null');
      const content = this.#execute(command, this.#call(exchange, exchange.caller), exchange.change);
      this.#log(exchange, name, { status: 200, ...namedIn(content) });
      return this.#respond(200, exchange.format, envelopeOf(command), content);
    } catch (thrown) {
      const error = this.#asApiError(thrown, exchange.caller);
      this.#log(exchange, name, { status: error.status, errorText: error.message });
      return this.#errorResponse(error, exchange.format, exchange.command, name);
    }
  }

  /** In the order of the real server: the role and the rate limit come before the signature. */
  #authenticate(exchange: Exchange, name: string | undefined): Caller {
    const { state, clock, sessions } = this.#options;
    if (sessionRequest(this.#options, exchange.request)) {
      const caller = sessionCaller({ state, sessions }, exchange.request, exchange.raw);
      this.#admit(exchange, caller);
      return caller;
    }
    if (!exchange.command) throw unauthenticated(undefined, name === undefined ? 'null' : 'errorresponse');
    const [key, signature] = [exchange.raw.get('apikey'), exchange.raw.get('signature')];
    if (key === undefined || signature === undefined) throw unauthenticated();
    this.#refuseGet(exchange);
    checkExpiry(exchange.raw, clock.now(), state.settings.enforcePostAndTimestamps);
    const caller = callerOf(state, state.users.by('apiKey', key)[0]);
    this.#admit(exchange, caller);
    const secret = secretFor(caller.user, key, clock.now());
    if (!verify(exchange.request.parameters, secret, signature)) throw unauthenticated();
    return caller;
  }

  #refuseGet({ request, command }: Exchange): void {
    const enforced = this.#options.state.settings.enforcePostAndTimestamps;
    if (enforced && request.method !== 'POST' && command?.readOnly !== true) throw unauthenticated();
  }

  #admit(exchange: Exchange, caller: Caller): void {
    const call = this.#call(exchange, caller);
    const { command } = exchange;
    const limits = rulesOf(caller.user, exchange.raw.get('apikey'));
    if (command && !(permits(caller, command) && allows(limits, command))) throw roleDenial(call, command.name);
    if (isRoot(call) && this.#options.profile.rootUnthrottled) return;
    this.#options.rateLimit.count(caller.account.id, this.#options.state.settings);
  }

  #call({ raw, command }: Exchange, caller: Caller): Call {
    const { state, clock, random, profile, jobs, faults, rateLimit } = this.#options;
    return {
      state,
      clock,
      random,
      profile,
      jobs,
      faults,
      rateLimit,
      caller,
      raw,
      command: command?.name ?? '',
      inJob: false,
    };
  }

  #execute(command: Command, call: Call, change: PageChange | undefined): JsonObject {
    checkProjectMembership(call, command);
    const values = convert(command.parameters, call.raw, {
      state: call.state,
      profile: call.profile,
      isRoot: isRoot(call),
      command: nameInTexts(command),
    }) as Values<ParameterTable>;
    switch (command.kind) {
      case 'sync':
        return this.#sync(command, call, values);
      case 'list':
        return list(command, call, values, change);
      case 'async':
      case 'create':
        return submit(command, call, values);
    }
  }

  #sync(command: Extract<Command, { kind: 'sync' }>, call: Call, values: Values<ParameterTable>): JsonObject {
    const content = command.run(call, values);
    if (command.event !== undefined) createEvent(call, command.event, `Successfully completed ${command.name}`);
    return content;
  }

  #asApiError(thrown: unknown, caller: Caller | undefined): ApiError {
    const text = thrown instanceof Error ? thrown.message : String(thrown);
    const error = thrown instanceof ApiError ? thrown : new ApiError(text, { status: 530, reason: 9999, masked: true });
    if (!error.masked || caller?.account.type === 'admin') return error;
    return new ApiError(MASKED_TEXT, {
      status: error.status,
      ...(error.reason !== undefined && { reason: error.reason }),
    });
  }

  #errorResponse(error: ApiError, format: Format, command: Command | undefined, name: string | undefined): ApiResponse {
    const own = command ? envelopeOf(command) : name === undefined ? 'null' : 'errorresponse';
    const envelope = error.envelope ?? own;
    // An element can't be called null.
    const root = format === 'xml' && envelope === 'null' ? 'errorresponse' : envelope;
    const response = this.#respond(error.status, format, root, errorContent(error));
    if (error.status === 401 || error.message === '') return response;
    return { ...response, headers: { ...response.headers, 'x-description': headerText(error.message) } };
  }

  #respond(status: number, format: Format, envelope: string, content: JsonObject): ApiResponse {
    return {
      status,
      headers: { 'content-type': CONTENT_TYPES[format], 'x-content-type-options': 'nosniff' },
      body: serialise(format, envelope, content, this.#options.profile.version),
    };
  }

  #log({ raw, command, caller }: Exchange, name: string | undefined, outcome: Outcome): void {
    const { clock, callLog, writeLog } = this.#options;
    const entry = {
      time: clock.now(),
      command: command?.name ?? name ?? '',
      ...(caller && { account: caller.account.name }),
      outcome,
    };
    callLog.add(entry, raw);
    if (command && command.readOnly !== true && caller) writeLog.add(entry, raw);
  }
}

function list(
  command: ListCommand,
  call: Call,
  values: Values<ParameterTable>,
  change: PageChange | undefined,
): JsonObject {
  const page = values as Page & { readonly retrieveonlyresourcecount?: boolean };
  const maximum = call.state.settings.defaultPageSize;
  checkPage(page, maximum);
  if (change) {
    const shown = ((page.page ?? 1) - 1) * (page.pagesize ?? 0);
    changeRows(call, displayed(call, command.select(call, values), values), shown, change);
  }
  const rows = displayed(call, command.select(call, values), values);
  if (rows.length === 0) return {};
  if (page.retrieveonlyresourcecount === true) return { count: rows.length };
  const shown = command.unpaged === true ? rows : pageOf(rows, page, maximum);
  if (shown.length === 0) return { count: rows.length };
  const item = typeof command.item === 'string' ? command.item : command.item(values);
  return { count: rows.length, [item]: shown.map((row) => command.show(row, call, values)) };
}

function submit(
  command: Extract<Command, { kind: 'async' | 'create' }>,
  call: Call,
  values: Values<ParameterTable>,
): JsonObject {
  const later: Call = { ...call, inJob: true };
  const { caller, jobs } = call;
  const common = {
    accountId: caller.account.id,
    userId: caller.user.id,
    account: caller.account.name,
    command: command.name,
    commandClass: classOf(command, isRoot(call)),
    instanceType: command.instanceType,
  };
  const done = (): void => {
    if (command.event !== undefined) createEvent(later, command.event, `Successfully completed ${command.name}`);
  };
  if (command.kind === 'create') {
    const id = command.create(call, values);
    rememberDisplay(call, id, values);
    const job = jobs.submit({
      ...common,
      instanceId: command.namesInstance === false ? undefined : id,
      queue: command.queue?.(call, values, id),
      undo: () => command.undo?.(later, id),
      run: async (handle) => {
        const result = await command.run(later, values, id, handle);
        done();
        return result;
      },
    });
    return { id, jobid: job.id };
  }
  command.check?.(call, values);
  const id: unknown = 'id' in values ? values['id'] : undefined;
  const job = jobs.submit({
    ...common,
    instanceId: command.instanceId?.(call, values),
    queue: command.queue?.(call, values),
    run: async (handle) => {
      // Only root's wish gets here, and root may change anything.
      rememberDisplay(call, id, values);
      const result = await command.run(later, values, handle);
      done();
      return result;
    },
  });
  return { jobid: job.id };
}

function classOf(command: Command, root: boolean): string {
  const byRoot = root ? command.commandClassByRoot : undefined;
  return `org.apache.cloudstack.api.command.${byRoot ?? command.commandClass ?? command.name}`;
}

/** What the log keeps of an answer. */
function namedIn(content: JsonObject): Pick<Outcome, 'id' | 'jobId'> {
  const { id, jobid } = content;
  return { ...(typeof id === 'string' && { id }), ...(typeof jobid === 'string' && { jobId: jobid }) };
}

/** Header values can't hold every letter; Jetty puts a blank for those outside of Latin-1, and for line ends. */
function headerText(text: string): string {
  return text.replace(/[^\u0020-\u007e\u00a0-\u00ff]/g, ' ');
}
