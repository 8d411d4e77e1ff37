import { isMember } from './access.ts';
import { serverError } from './api-error.ts';
import { isDomainAdmin, isRoot, type Call } from './call.ts';
import type { Command } from './command.ts';
import { resolveId } from './entity-kind.ts';

/**
 * A project that exists, and that the caller is no member of, is refused like a command he may not call: whether the
 * command knows the parameter or not.
 */
export function checkProjectMembership(call: Call, command: Command): void {
  const projectId = call.raw.get('projectid');
  if (projectId === undefined) return;
  if (isRoot(call) || isDomainAdmin(call)) return;
  const id = resolveId(call.state, 'project', projectId);
  const project = id === undefined ? undefined : call.state.projects.get(id);
  if (!project || isMember(project, call.caller.account.id)) return;
  const text = `The API [${command.name}] does not exist or is not available for this account/user in project [${project.id}].`;
  throw serverError(432, text, 'errorresponse');
}
