import { invalidValue } from '../api-error.ts';
import type { Call } from '../call.ts';
import { list, sync } from '../command.ts';
import type { JsonObject } from '../json.ts';
import { like } from '../paging.ts';
import { PAGE } from '../parameter.ts';
import { SETTING_NAMES, withSetting } from '../settings.ts';

function showConfiguration(name: string, { state }: Call): JsonObject {
  const field = SETTING_NAMES[name];
  return {
    category: 'Advanced',
    name,
    value: field === undefined ? undefined : String(state.settings[field]),
    isdynamic: true,
  };
}

export const configurationCommands = [
  list({
    name: 'listConfigurations',
    description: 'Lists all configurations.',
    item: 'configuration',
    roles: ['Admin'],
    parameters: { ...PAGE, name: { type: 'string' }, category: { type: 'string' } },
    select: (_, { name, keyword }) =>
      Object.keys(SETTING_NAMES)
        .sort()
        .filter((known) => (name === undefined || known === name) && (keyword === undefined || like(known, keyword))),
    show: showConfiguration,
  }),
  sync({
    name: 'updateConfiguration',
    description: 'Updates a configuration.',
    roles: ['Admin'],
    event: 'CONFIGURATION.VALUE.EDIT',
    parameters: { name: { type: 'string', required: true }, value: { type: 'string', length: 4096 } },
    run: (call, { name, value = '' }) => {
      const changed = withSetting(call.state.settings, name, value);
      if (!changed) throw invalidValue(`Config parameter with name ${name} doesn't exist, or the value is not valid`);
      call.state.settings = changed;
      return { configuration: showConfiguration(name, call) };
    },
  }),
];
