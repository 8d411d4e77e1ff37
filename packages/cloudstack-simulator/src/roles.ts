import { serverError } from './api-error.ts';
import { accountText } from './access.ts';
import type { Call, Caller } from './call.ts';
import type { Command } from './command.ts';
import { matchesPattern } from './faults.ts';
import type { RoleRule } from './state.ts';

/** Whether the caller's role lets him call the command: the role's own rules first, then the defaults of its type. */
export function permits(caller: Caller, command: Command): boolean {
  const rule = caller.role.rules.find((one) => matchesPattern(one.command, command.name));
  if (rule) return rule.allow;
  return command.roles === undefined || command.roles.includes(caller.role.type);
}

/** Whether the limits of a key pair let the command through; without limits everything goes. */
export function allows(limits: readonly RoleRule[] | undefined, command: Command): boolean {
  return limits === undefined || limits.find((rule) => matchesPattern(rule.command, command.name))?.allow === true;
}

/** The refusal of a command that the role lacks, or that does not exist. */
export function roleDenial(call: Call, name: string): Error {
  if (call.profile.roleDenial === 401) {
    const text = `The given command '${name}' either does not exist, is not available for user.`;
    return serverError(401, text, 'errorresponse');
  }
  const text = `The API [${name}] does not exist or is not available for the account ${accountText(call, true)}.`;
  return serverError(432, text, 'errorresponse');
}
