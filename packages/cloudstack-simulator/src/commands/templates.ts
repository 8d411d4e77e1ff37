import type { Call } from '../call.ts';
import { sameText } from '../collation.ts';
import { list } from '../command.ts';
import { formatDate } from '../date.ts';
import type { JsonObject } from '../json.ts';
import { like } from '../paging.ts';
import { PAGE } from '../parameter.ts';
import type { Template } from '../state.ts';

function showTemplate(template: Template, call: Call): JsonObject {
  const zone = call.state.zones.values().next().value;
  return {
    id: template.id,
    name: template.name,
    displaytext: template.displaytext,
    ispublic: true,
    created: formatDate(template.created),
    isready: template.state === 'Active',
    passwordenabled: template.passwordEnabled,
    format: 'VHD',
    isfeatured: true,
    crossZones: true,
    ostypeid: template.osTypeId,
    ostypename: template.osDisplayName,
    account: 'system',
    zoneid: zone?.id,
    zonename: zone?.name,
    status: 'Download Complete',
    templatetype: 'BUILTIN',
    hypervisor: 'Simulator',
    domain: 'ROOT',
    domainid: call.state.domains.byInternalId(1)?.id,
    isextractable: true,
    tags: [],
  };
}

export const templateCommands = [
  list({
    name: 'listTemplates',
    description: 'List all public, private, and privileged templates.',
    item: 'template',
    parameters: {
      ...PAGE,
      templatefilter: { type: 'string', required: true },
      id: { type: 'uuid', of: 'template' },
      name: { type: 'string' },
      hypervisor: { type: 'string' },
      zoneid: { type: 'uuid', of: 'zone' },
    },
    select: (call, { id, name, keyword }) =>
      call.state.templates.filter(
        (template) =>
          (id === undefined || template.id === id) &&
          (name === undefined || sameText(template.name, name)) &&
          (keyword === undefined || like(template.name, keyword)),
      ),
    show: showTemplate,
  }),
];
