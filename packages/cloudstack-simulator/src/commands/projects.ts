import { denied, inDomain, isMember } from '../access.ts';
import { invalidValue, unexpected } from '../api-error.ts';
import { isDomainAdmin, isRoot, type Call } from '../call.ts';
import { sameText } from '../collation.ts';
import { asynchronous, create, list } from '../command.ts';
import { formatDate } from '../date.ts';
import type { JsonObject } from '../json.ts';
import { projectAccountName } from '../operations/projects.ts';
import { like } from '../paging.ts';
import { PAGE } from '../parameter.ts';
import { findAccount } from '../scope.ts';
import { isUnlimited } from '../settings.ts';
import type { Project } from '../state.ts';
import { showDomain } from '../views/owner.ts';
import { showFullTags } from '../views/tags.ts';
import { tagFilter } from './scoped-rows.ts';

/** Size of the disk that every machine has. */
const ROOT_DISK_GB = 2;

/** `*limit` and `*available` are texts, `*total` numbers. */
function showResources(project: Project, call: Call): JsonObject {
  const { state } = call;
  const { settings } = state;
  const machines = state.virtualMachines
    .by('accountId', project.accountId)
    .filter((vm) => vm.removed === undefined && vm.state !== 'Destroyed');
  const networks = state.networks.by('accountId', project.accountId).filter((row) => row.removed === undefined).length;
  const vpcs = state.vpcs.by('accountId', project.accountId).filter((row) => row.removed === undefined).length;
  const offerings = machines.map((vm) => state.serviceOfferings.get(vm.serviceOfferingId));
  const cpus = offerings.reduce((sum, offering) => sum + (offering?.cpuNumber ?? 0), 0);
  const memory = offerings.reduce((sum, offering) => sum + (offering?.memory ?? 0), 0);
  const ips = state.publicIps.by('accountId', project.accountId).length;
  const running = machines.filter((vm) => vm.state === 'Running').length;
  return {
    ...resource('network', settings.maxAccountNetworks, networks),
    ...resource('vpc', settings.maxAccountVpcs, vpcs),
    ...resource('cpu', 40, cpus),
    ...resource('memory', 40_960, memory),
    ...resource('primarystorage', 200, machines.length * ROOT_DISK_GB),
    secondarystoragelimit: '400',
    secondarystoragetotal: 0,
    secondarystorageavailable: '400.0',
    ...resource('vm', settings.maxAccountVirtualMachines, machines.length),
    ...resource('ip', settings.maxProjectPublicIps, ips),
    ...resource('volume', 20, machines.length),
    ...resource('snapshot', 20, 0),
    ...resource('template', 20, 0),
    vmstopped: machines.length - running,
    vmrunning: running,
  };
}

function resource(name: string, limit: number, total: number): JsonObject {
  const [most, left] = isUnlimited(limit) ? ['Unlimited', 'Unlimited'] : [String(limit), String(limit - total)];
  return { [`${name}limit`]: most, [`${name}total`]: total, [`${name}available`]: left };
}

function showProject(project: Project, call: Call, min: boolean): JsonObject {
  const { state } = call;
  const owners = project.members.filter((member) => member.role === 'Admin');
  return {
    id: project.id,
    name: project.name,
    displaytext: project.displaytext,
    ...showDomain(call, project.domainId),
    owner: owners.map((member) => ({ account: state.accounts.get(member.accountId)?.name })),
    projectaccountname: state.accounts.get(project.accountId)?.name,
    state: project.state,
    tags: showFullTags(call, project.id),
    ...(min ? { secondarystoragetotal: 0 } : showResources(project, call)),
    created: formatDate(project.created),
  };
}

function shown(call: Call, id: string): { readonly project: JsonObject } {
  const project = call.state.projects.get(id);
  if (!project) throw unexpected('Failed to find the project');
  return { project: showProject(project, call, false) };
}

/** @throws ApiError 531 for somebody who does not lead the project. */
function led(call: Call, id: string): Project {
  const project = call.state.projects.get(id);
  if (!project) throw invalidValue('Unable to find the project id');
  const leads = project.members.some((one) => one.role === 'Admin' && one.accountId === call.caller.account.id);
  const administers = isDomainAdmin(call) && inDomain(call.state, project.domainId, call.caller.domain.id);
  if (!leads && !administers && !isRoot(call)) throw denied(call);
  return project;
}

interface Filter {
  readonly listall?: boolean | undefined;
  readonly domainid?: string | undefined;
  readonly account?: string | undefined;
  readonly id?: string | undefined;
}

function visible(call: Call, values: Filter): (project: Project) => boolean {
  const { state, caller } = call;
  if (values.account !== undefined) {
    const account = findAccount(call, values.account, values.domainid);
    return (project) => isMember(project, account);
  }
  const wide = values.listall === true || values.id !== undefined;
  if (isRoot(call) && wide) return () => true;
  if (isDomainAdmin(call) && wide) return (project) => inDomain(state, project.domainId, caller.domain.id);
  return (project) => isMember(project, caller.account.id);
}

const ID = { id: { type: 'uuid', of: 'project', required: true } } as const;

export const projectCommands = [
  list({
    name: 'listProjects',
    description: 'Lists projects and provides detailed information for listed projects',
    item: 'project',
    parameters: {
      ...PAGE,
      account: { type: 'string' },
      domainid: { type: 'uuid', of: 'domain' },
      listall: { type: 'boolean' },
      isrecursive: { type: 'boolean' },
      id: { type: 'uuid', of: 'project' },
      name: { type: 'string' },
      displaytext: { type: 'string' },
      state: { type: 'string' },
      username: { type: 'string', since: '4.15' },
      tags: { type: 'map' },
      details: { type: 'list', since: '4.15' },
    },
    select: (call, values) => {
      const mine = visible(call, values);
      const tagged = tagFilter(call, values.tags);
      const { id, name, displaytext, state, keyword } = values;
      return call.state.projects
        .filter(
          (project) =>
            mine(project) &&
            (id === undefined || project.id === id) &&
            (name === undefined || sameText(project.name, name)) &&
            (displaytext === undefined || project.displaytext === displaytext) &&
            (state === undefined || project.state.toLowerCase() === state.toLowerCase()) &&
            (keyword === undefined || like(project.name, keyword) || like(project.displaytext, keyword)) &&
            (tagged === undefined || tagged.has(project.id)),
        )
        .toReversed();
    },
    show: (project, call, { details }) => showProject(project, call, details?.includes('min') ?? false),
  }),
  create({
    name: 'createProject',
    description: 'Creates a project',
    commandClass: 'user.project.CreateProjectCmd',
    instanceType: 'None',
    namesInstance: false,
    event: 'PROJECT.CREATE',
    parameters: {
      account: { type: 'string' },
      domainid: { type: 'uuid', of: 'domain' },
      name: { type: 'string', required: true },
      displaytext: { type: 'string' },
    },
    create: (call, { name, displaytext, account, domainid }) => {
      const { state, random, clock, caller } = call;
      const leaderId = account === undefined ? caller.account.id : findAccount(call, account, domainid);
      const leader = state.accounts.get(leaderId) ?? caller.account;
      const domain = state.domains.get(leader.domainId);
      if (state.projects.find((one) => sameText(one.name, name) && one.domainId === leader.domainId)) {
        throw invalidValue(`Project with name ${name} already exists in domain id=${domain?.internalId}`);
      }
      const pseudo = state.accounts.add({
        id: random.uuid(),
        name: projectAccountName(name, domain),
        domainId: leader.domainId,
        type: 'project',
        roleId: leader.roleId,
        state: 'enabled',
        created: clock.now(),
      });
      return state.projects.add({
        id: random.uuid(),
        accountId: pseudo.id,
        name,
        displaytext: displaytext ?? name,
        domainId: leader.domainId,
        state: 'Disabled',
        members: [{ accountId: leaderId, role: 'Admin' }],
        created: clock.now(),
      }).id;
    },
    run: async (call, _, id, job) => {
      await job.work();
      call.state.projects.update(id, { state: 'Active' });
      return shown(call, id);
    },
  }),
  asynchronous({
    name: 'activateProject',
    description: 'Activates a project',
    commandClass: 'user.project.ActivateProjectCmd',
    envelope: 'activaterojectresponse',
    event: 'PROJECT.ACTIVATE',
    parameters: ID,
    run: async (call, { id }, job) => {
      led(call, id);
      await job.work();
      call.state.projects.update(id, { state: 'Active' });
      return shown(call, id);
    },
  }),
  asynchronous({
    name: 'suspendProject',
    description: 'Suspends a project',
    commandClass: 'user.project.SuspendProjectCmd',
    event: 'PROJECT.SUSPEND',
    parameters: ID,
    run: async (call, { id }, job) => {
      led(call, id);
      await job.work();
      call.state.projects.update(id, { state: 'Suspended' });
      return shown(call, id);
    },
  }),
  asynchronous({
    name: 'deleteProject',
    description: 'Deletes a project',
    commandClass: 'user.project.DeleteProjectCmd',
    event: 'PROJECT.DELETE',
    parameters: { ...ID, cleanup: { type: 'boolean', since: '4.16' } },
    run: async (call, { id }, job) => {
      const { state } = call;
      const { accountId } = led(call, id);
      const machines = state.virtualMachines.by('accountId', accountId).some((vm) => vm.removed === undefined);
      const networks = state.networks.by('accountId', accountId).some((network) => network.removed === undefined);
      if (machines || networks) throw unexpected('Failed to delete project: it still has resources');
      await job.work();
      state.projects.delete(id);
      state.accounts.delete(accountId);
      return { success: true };
    },
  }),
  asynchronous({
    name: 'addAccountToProject',
    description: 'Adds account to a project',
    commandClass: 'user.account.AddAccountToProjectCmd',
    event: 'PROJECT.ACCOUNT.ADD',
    parameters: {
      projectid: { type: 'uuid', of: 'project', required: true },
      account: { type: 'string', required: true },
      email: { type: 'string' },
      projectroleid: { type: 'string', since: '4.15' },
      roletype: { type: 'string', since: '4.15' },
    },
    run: async (call, { projectid, account, roletype }, job) => {
      const project = led(call, projectid);
      const added = call.state.accounts.find((row) => row.name === account && row.domainId === project.domainId);
      if (!added) throw invalidValue(`Account name=${account} can't be added to the project: it does not exist`);
      await job.work();
      if (isMember(project, added.id)) return { success: true };
      const role = roletype?.toLowerCase() === 'admin' ? 'Admin' : 'Regular';
      call.state.projects.update(projectid, { members: [...project.members, { accountId: added.id, role }] });
      return { success: true };
    },
  }),
  asynchronous({
    name: 'deleteAccountFromProject',
    description: 'Deletes account from the project',
    commandClass: 'user.account.DeleteAccountFromProjectCmd',
    event: 'PROJECT.ACCOUNT.REMOVE',
    parameters: {
      projectid: { type: 'uuid', of: 'project', required: true },
      account: { type: 'string', required: true },
    },
    run: async (call, { projectid, account }, job) => {
      const project = led(call, projectid);
      const gone = project.members.find((one) => call.state.accounts.get(one.accountId)?.name === account);
      if (!gone) throw invalidValue(`Account name=${account} is not assigned to the project id=${projectid}`);
      await job.work();
      call.state.projects.update(projectid, { members: project.members.filter((member) => member !== gone) });
      return { success: true };
    },
  }),
  list({
    name: 'listProjectAccounts',
    description: "Lists project's accounts",
    item: 'projectaccount',
    parameters: { ...PAGE, projectid: { type: 'uuid', of: 'project', required: true }, account: { type: 'string' } },
    select: (call, { projectid, account }) => {
      const project = call.state.projects.get(projectid);
      const named = (id: string): boolean => account === undefined || call.state.accounts.get(id)?.name === account;
      return (project?.members ?? []).filter((one) => named(one.accountId)).map((one) => ({ ...one, project }));
    },
    show: ({ accountId, role, project }, call) => ({
      projectid: project?.id,
      project: project?.name,
      account: call.state.accounts.get(accountId)?.name,
      accountid: accountId,
      accounttype: 0,
      role,
      ...(project && showDomain(call, project.domainId)),
    }),
  }),
];
