import { accountAndDomain, projectOf } from '../access.ts';
import type { Call } from '../call.ts';
import type { JsonObject } from '../json.ts';

/** Whose a thing is: an account, or a project and then no account. */
export function showOwner(call: Call, accountId: string): JsonObject {
  const owner = accountAndDomain(call.state, accountId);
  if (!owner) return {};
  const project = projectOf(call.state, accountId);
  return {
    ...(project ? { projectid: project.id, project: project.name } : { account: owner.account.name }),
    ...showDomain(call, owner.domain.id),
  };
}

export function showDomain(call: Call, domainId: string): JsonObject {
  const domain = call.state.domains.get(domainId);
  if (!domain) return {};
  return {
    domainid: domain.id,
    domain: domain.name,
    domainpath: call.profile.domainPath ? domain.path : undefined,
  };
}
