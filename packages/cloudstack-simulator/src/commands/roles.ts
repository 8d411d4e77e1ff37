import { invalidValue } from '../api-error.ts';
import { sameText } from '../collation.ts';
import { list, sync } from '../command.ts';
import type { JsonObject } from '../json.ts';
import { like } from '../paging.ts';
import { PAGE } from '../parameter.ts';
import type { Role, RoleRule, RoleType } from '../state.ts';

const ROLE_TYPES: readonly RoleType[] = ['Admin', 'ResourceAdmin', 'DomainAdmin', 'User'];

function showRole(role: Role): JsonObject {
  return {
    id: role.id,
    name: role.name,
    type: role.type,
    description: role.description,
    isdefault: role.isDefault,
    ispublic: true,
  };
}

function showRule(role: Role, rule: RoleRule): JsonObject {
  return {
    id: rule.id,
    roleid: role.id,
    rolename: role.name,
    rule: rule.command,
    permission: rule.allow ? 'allow' : 'deny',
  };
}

export const roleCommands = [
  list({
    name: 'listRoles',
    description: 'Lists dynamic roles in CloudStack',
    item: 'role',
    roles: ['Admin', 'DomainAdmin'],
    parameters: { ...PAGE, id: { type: 'uuid', of: 'role' }, name: { type: 'string' }, type: { type: 'string' } },
    select: (call, { id, name, type, keyword }) =>
      call.state.roles.filter(
        (role) =>
          (id === undefined || role.id === id) &&
          (name === undefined || sameText(role.name, name)) &&
          (keyword === undefined || like(role.name, keyword)) &&
          (type === undefined || role.type.toLowerCase() === type.toLowerCase()),
      ),
    show: showRole,
  }),
  sync({
    name: 'createRole',
    description: 'Creates a role',
    roles: ['Admin'],
    event: 'ROLE.CREATE',
    parameters: {
      name: { type: 'string', required: true },
      type: { type: 'string' },
      roleid: { type: 'uuid', of: 'role' },
      description: { type: 'string' },
    },
    run: (call, { name, type, roleid, description }) => {
      const base = roleid === undefined ? undefined : call.state.roles.get(roleid);
      const roleType = base?.type ?? ROLE_TYPES.find((one) => one.toLowerCase() === type?.toLowerCase());
      if (!roleType) throw invalidValue('Neither role type nor role ID is provided');
      const role = call.state.roles.add({
        id: call.random.uuid(),
        name,
        type: roleType,
        ...(description !== undefined && { description }),
        isDefault: false,
        rules: (base?.rules ?? []).map((rule) => ({ ...rule, id: call.random.uuid() })),
      });
      return { role: showRole(role) };
    },
  }),
  sync({
    name: 'createRolePermission',
    description: 'Adds an API permission to a role',
    roles: ['Admin'],
    event: 'ROLE.PERMISSION.CREATE',
    parameters: {
      roleid: { type: 'uuid', of: 'role', required: true },
      rule: { type: 'string', required: true },
      permission: { type: 'string', required: true },
    },
    run: (call, { roleid, rule, permission }) => {
      const role = call.state.roles.get(roleid);
      if (!role || role.isDefault) throw invalidValue('Role permission cannot be added to default roles');
      const added = { id: call.random.uuid(), command: rule, allow: permission.toLowerCase() === 'allow' };
      call.state.roles.update(roleid, { rules: [...role.rules, added] });
      return { rolepermission: showRule(role, added) };
    },
  }),
  list({
    name: 'listRolePermissions',
    description: 'Lists role permissions',
    item: 'rolepermission',
    roles: ['Admin'],
    parameters: { ...PAGE, roleid: { type: 'uuid', of: 'role' } },
    select: (call, { roleid }) =>
      call.state.roles
        .filter((role) => roleid === undefined || role.id === roleid)
        .flatMap((role) => role.rules.map((rule) => ({ role, rule }))),
    show: ({ role, rule }) => showRule(role, rule),
  }),
  sync({
    name: 'deleteRolePermission',
    description: 'Deletes a role permission',
    roles: ['Admin'],
    event: 'ROLE.PERMISSION.DELETE',
    parameters: { id: { type: 'string', required: true } },
    run: (call, { id }) => {
      const role = call.state.roles.find((one) => one.rules.some((rule) => rule.id === id));
      if (!role) throw invalidValue('Invalid role permission id provided');
      call.state.roles.update(role.id, { rules: role.rules.filter((rule) => rule.id !== id) });
      return { success: true };
    },
  }),
];
