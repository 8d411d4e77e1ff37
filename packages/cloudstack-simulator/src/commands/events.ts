import type { Call } from '../call.ts';
import { list } from '../command.ts';
import { formatDate } from '../date.ts';
import type { JsonObject } from '../json.ts';
import { like } from '../paging.ts';
import { PAGE, SCOPE } from '../parameter.ts';
import type { Event } from '../state.ts';
import { showOwner } from '../views/owner.ts';
import { scopedRows } from './scoped-rows.ts';

function showEvent(event: Event, call: Call): JsonObject {
  return {
    id: event.id,
    username: call.state.users.get(event.userId)?.username,
    type: event.type,
    level: event.level,
    description: event.description,
    ...showOwner(call, event.accountId),
    created: formatDate(event.created),
    state: event.state,
    parentid: event.parentId,
    resourceid: event.resourceId,
    resourcetype: event.resourceType,
    archived: false,
  };
}

export const eventCommands = [
  list({
    name: 'listEvents',
    description: 'A command to list events.',
    item: 'event',
    parameters: {
      ...PAGE,
      ...SCOPE,
      id: { type: 'uuid', of: 'event' },
      type: { type: 'string' },
      level: { type: 'string' },
      startdate: { type: 'date' },
      enddate: { type: 'date' },
      state: { type: 'string' },
      resourceid: { type: 'string' },
      resourcetype: { type: 'string' },
    },
    select: (call, values) => {
      const { type, level, keyword, startdate, enddate, state } = values;
      const [from, to] = [startdate, enddate].map((date) => (date === undefined ? undefined : Date.parse(date)));
      return scopedRows(call, call.state.events, values)
        .filter(
          (event) =>
            (type === undefined || event.type === type) &&
            (level === undefined || event.level === level.toUpperCase()) &&
            (state === undefined || event.state.toLowerCase() === state.toLowerCase()) &&
            (keyword === undefined || like(event.type, keyword) || like(event.description, keyword)) &&
            (values.resourceid === undefined || event.resourceId === values.resourceid) &&
            (from === undefined || event.created >= from) &&
            (to === undefined || event.created <= to),
        )
        .toReversed();
    },
    show: showEvent,
  }),
  list({
    name: 'listEventTypes',
    description: 'List Event Types',
    item: 'eventtype',
    parameters: {},
    select: (call) => [...new Set([...call.state.events.values()].map((event) => event.type))].sort(),
    show: (name) => ({ name }),
  }),
];
