import { serverError } from '../api-error.ts';
import { isRoot, type Call } from '../call.ts';
import { sync, type Command } from '../command.ts';
import type { JsonObject } from '../json.ts';
import type { Parameter } from '../parameter.ts';
import { permits } from '../roles.ts';
import { supports } from '../version-profile.ts';

const TYPE_NAMES: Readonly<Record<Parameter['type'], string>> = {
  string: 'string',
  uuid: 'uuid',
  integer: 'integer',
  long: 'long',
  boolean: 'boolean',
  date: 'date',
  list: 'list',
  'integer-list': 'list',
  'uuid-list': 'list',
  map: 'map',
};

function showParameter(name: string, parameter: Parameter): JsonObject {
  return {
    name,
    description: parameter.description ?? name,
    type: TYPE_NAMES[parameter.type],
    length: parameter.type === 'string' ? (parameter.length ?? 255) : 255,
    required: parameter.required ?? false,
    since: parameter.documentedSince ?? (parameter.since === undefined ? undefined : `${parameter.since}.0`),
    related: parameter.type === 'uuid' ? '' : undefined,
  };
}

function showApi(command: Command, call: Call): JsonObject {
  const parameters = Object.entries(command.parameters).filter(
    ([, { since, until, rootOnly }]) =>
      supports(call.profile, since) &&
      (until === undefined || !supports(call.profile, until)) &&
      (rootOnly !== true || isRoot(call)),
  );
  return {
    name: command.name,
    description: command.description,
    since: command.since,
    isasync: command.kind === 'async' || command.kind === 'create',
    params: parameters.map(([name, parameter]) => showParameter(name, parameter)),
    response: showResponse(command),
  };
}

/** Field by field only what every answer has: the real lists hold hundreds, and no client decides by them. */
function showResponse(command: Command): readonly JsonObject[] {
  const job = [
    { name: 'jobid', description: 'the UUID of the latest async job acting on this object', type: 'string' },
    {
      name: 'jobstatus',
      description: 'the current status of the latest async job acting on this object',
      type: 'integer',
    },
  ];
  const success = { name: 'success', description: 'true if operation is executed successfully', type: 'boolean' };
  return command.kind === 'list' || command.kind === 'sync' ? job : [success, ...job];
}

/** The command that tells of the others. */
export function apiCommands(all: () => readonly Command[]): readonly Command[] {
  return [
    sync({
      name: 'listApis',
      description: 'lists all available apis on the server, provided by the Api Discovery plugin',
      readOnly: true,
      parameters: { name: { type: 'string' } },
      run: (call, { name }) => {
        const found = all().filter(
          (command) =>
            (name === undefined || command.name === name) &&
            supports(call.profile, command.since) &&
            permits(call.caller, command),
        );
        // The plug-in counts every command it looks at as a call.
        if (!isRoot(call)) call.rateLimit.count(call.caller.account.id, call.state.settings, found.length);
        if (found.length === 0) {
          throw serverError(530, 'Api Discovery plugin was unable to find an api by that name or process any apis');
        }
        return { count: found.length, api: found.map((command) => showApi(command, call)) };
      },
    }),
  ];
}
