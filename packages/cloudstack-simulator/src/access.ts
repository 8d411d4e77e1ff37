import { permissionDenied } from './api-error.ts';
import { isDomainAdmin, isRoot, type Call } from './call.ts';
import type { Account, Domain } from './entities/identity.ts';
import type { Project, State } from './state.ts';

/** How error texts name an account. Outside of jobs CloudStack puts a random UUID there. */
export function accountText(call: Call, exact = call.inJob): string {
  const { name, internalId, id } = call.caller.account;
  const uuid = exact ? id : call.random.uuid();
  return `Account [${JSON.stringify({ accountName: name, id: internalId, uuid })}]`;
}

export function denied(call: Call): Error {
  return permissionDenied(`${accountText(call)} does not have permission to operate with resource`);
}

/** True if the domain is the other one or below it. */
export function inDomain(state: State, domainId: string, ancestorId: string): boolean {
  const [domain, ancestor] = [state.domains.get(domainId), state.domains.get(ancestorId)];
  if (!domain || !ancestor) return false;
  return domain.path === ancestor.path || domain.path.startsWith(`${ancestor.path}/`);
}

/** The project that owns through this account, if it is a project's. */
export function projectOf(state: State, accountId: string): Project | undefined {
  return state.projects.by('accountId', accountId)[0];
}

export function isMember(project: Project, accountId: string): boolean {
  return project.members.some((member) => member.accountId === accountId);
}

/** Whether the caller may work with what the account owns: own, of a project of his, of his domain, or as root. */
export function mayOperate(call: Call, ownerId: string): boolean {
  const { state, caller } = call;
  if (isRoot(call) || ownerId === caller.account.id) return true;
  const owner = state.accounts.get(ownerId);
  if (!owner) return false;
  if (isDomainAdmin(call) && inDomain(state, owner.domainId, caller.domain.id)) return true;
  const project = projectOf(state, ownerId);
  return project !== undefined && isMember(project, caller.account.id);
}

/** @throws ApiError 531 if the caller may not. */
export function checkAccess(call: Call, ownerId: string): void {
  if (!mayOperate(call, ownerId)) throw denied(call);
}

/** The rows behind an account id. */
export function accountAndDomain(state: State, accountId: string): { account: Account; domain: Domain } | undefined {
  const account = state.accounts.get(accountId);
  const domain = account && state.domains.get(account.domainId);
  return account && domain && { account, domain };
}
