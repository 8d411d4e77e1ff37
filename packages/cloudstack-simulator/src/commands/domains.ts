import { inDomain } from '../access.ts';
import { invalidValue } from '../api-error.ts';
import { isRoot, type Call } from '../call.ts';
import { sameText } from '../collation.ts';
import { list, sync } from '../command.ts';
import type { JsonObject } from '../json.ts';
import { like } from '../paging.ts';
import { PAGE } from '../parameter.ts';
import type { Domain } from '../state.ts';

function showDomainRow(domain: Domain, { state }: Call): JsonObject {
  const parent = domain.parentId === undefined ? undefined : state.domains.get(domain.parentId);
  return {
    id: domain.id,
    name: domain.name,
    level: domain.path.split('/').length - 1,
    parentdomainid: parent?.id,
    parentdomainname: parent?.name,
    haschild: state.domains.find((one) => one.parentId === domain.id) !== undefined,
    path: domain.path,
    state: 'Active',
  };
}

export const domainCommands = [
  list({
    name: 'listDomains',
    description: 'Lists domains and provides detailed information for listed domains',
    item: 'domain',
    roles: ['Admin', 'DomainAdmin', 'User'],
    parameters: {
      ...PAGE,
      id: { type: 'uuid', of: 'domain' },
      name: { type: 'string' },
      level: { type: 'integer' },
      listall: { type: 'boolean' },
    },
    select: (call, { id, name, level, keyword }) =>
      call.state.domains.filter(
        (domain) =>
          (isRoot(call) || inDomain(call.state, domain.id, call.caller.domain.id)) &&
          (id === undefined || domain.id === id) &&
          (name === undefined || sameText(domain.name, name)) &&
          (level === undefined || domain.path.split('/').length - 1 === level) &&
          (keyword === undefined || like(domain.name, keyword)),
      ),
    show: showDomainRow,
  }),
  sync({
    name: 'createDomain',
    description: 'Creates a domain',
    roles: ['Admin'],
    event: 'DOMAIN.CREATE',
    parameters: {
      name: { type: 'string', required: true },
      parentdomainid: { type: 'uuid', of: 'domain' },
      networkdomain: { type: 'string' },
    },
    run: (call, { name, parentdomainid, networkdomain }) => {
      const { domains } = call.state;
      const parent = parentdomainid === undefined ? domains.byInternalId(1) : domains.get(parentdomainid);
      if (!parent) throw invalidValue('Unable to find parent domain by id specified');
      const path = `${parent.path}/${name}`;
      if (domains.find((domain) => domain.path === path)) {
        throw invalidValue(`Domain with name ${name} already exists for the parent id=${parent.internalId}`);
      }
      const domain = domains.add({
        id: call.random.uuid(),
        name,
        path,
        parentId: parent.id,
        ...(networkdomain !== undefined && { networkDomain: networkdomain }),
      });
      return { domain: showDomainRow(domain, call) };
    },
  }),
];
