import { checkAccess, inDomain, isMember, projectOf } from './access.ts';
import { invalidValue } from './api-error.ts';
import { isDomainAdmin, isRoot, type Call } from './call.ts';
import type { SCOPE, Values } from './parameter.ts';

export type ScopeValues = Omit<Values<typeof SCOPE>, 'tags'> & { readonly id?: string | undefined };

/** Whose things a list shows. */
export interface Scope {
  readonly includes: (ownerId: string) => boolean;
  /** The owners, where they are few: lets a list use an index instead of reading the whole table. */
  readonly owners?: readonly string[];
}

/** Finds out whose things a caller asked for. @throws ApiError if he may not see them. */
export function resolveScope(call: Call, values: ScopeValues): Scope {
  if (values.account !== undefined) return accountScope(call, values, values.account);
  if (values.projectid !== undefined) return projectScope(call, values, values.projectid);
  if (values.domainid !== undefined) return domainScope(call, values.domainid, values);
  return ownScope(call, values);
}

function accountScope(call: Call, values: ScopeValues, name: string): Scope {
  if (values.projectid !== undefined) throw invalidValue("Account and projectId can't be specified together");
  return only([findAccount(call, name, values.domainid)]);
}

/** The id of the account with this name. @throws ApiError 431 or 531. */
export function findAccount(call: Call, name: string, domainId = call.caller.domain.id): string {
  const account = call.state.accounts.find((row) => row.name === name && row.domainId === domainId);
  if (!account) throw invalidValue(`could not find account ${name} in domain ${domainId}`);
  checkAccess(call, account.id);
  return account.id;
}

function projectScope(call: Call, values: ScopeValues, projectId: string): Scope {
  if (projectId !== '-1') return only([call.state.projects.get(projectId)?.accountId ?? '']);
  const owners = call.state.projects
    .filter((project) => isRoot(call) || isMember(project, call.caller.account.id))
    .map((project) => project.accountId);
  return only(values.listall ? [...owners, call.caller.account.id] : owners);
}

function domainScope(call: Call, domainId: string, values: ScopeValues): Scope {
  const { state, caller } = call;
  if (!isRoot(call) && !isDomainAdmin(call)) {
    if (domainId !== caller.domain.id) checkAccess(call, '');
    return only([caller.account.id]);
  }
  if (isDomainAdmin(call) && !inDomain(state, domainId, caller.domain.id)) checkAccess(call, '');
  const recursive = values.isrecursive ?? values.listall ?? false;
  return {
    includes: (ownerId) => {
      const owner = state.accounts.get(ownerId);
      if (!owner || projectOf(state, ownerId)) return false;
      return recursive ? inDomain(state, owner.domainId, domainId) : owner.domainId === domainId;
    },
  };
}

function ownScope(call: Call, values: ScopeValues): Scope {
  const { state, caller } = call;
  const wide = values.id !== undefined || values.listall === true;
  if (!wide || (!isRoot(call) && !isDomainAdmin(call))) return only([caller.account.id]);
  // Project things stay hidden in lists, even from root; asked by id they show.
  const hidesProjects = values.id === undefined;
  return {
    includes: (ownerId) => {
      const owner = state.accounts.get(ownerId);
      if (!owner || (hidesProjects && owner.type === 'project')) return false;
      return isRoot(call) || inDomain(state, owner.domainId, caller.domain.id);
    },
  };
}

function only(owners: readonly string[]): Scope {
  const set = new Set(owners);
  return { includes: (ownerId) => set.has(ownerId), owners };
}
