import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { commandTable } from '../src/commands/index.ts';
import { nameInTexts, type Command } from '../src/command.ts';
import type { Parameter } from '../src/parameter.ts';
import { demoScene } from '../src/scene/demo.ts';
import type { World } from '../src/scene/world.ts';
import type { StateSnapshot } from '../src/state.ts';
import { content, TestCloud, type TestClient } from '../src/testing/client.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** What a careless caller puts into any parameter. */
const ODD = [
  '',
  ' ',
  UNKNOWN,
  '-1',
  '0',
  '99999999999999999999',
  'x'.repeat(300),
  'ä;\'"<>&',
  ',,',
  '1,2',
  '%',
  '__proto__',
];

/** Words of JavaScript that show that something was not thought of. */
const SLIPS = /undefined|\bNaN\b|\[object|Cannot read|is not a function|is not iterable|TypeError|RangeError/;

/** Removed networks and unknown ones are checked in a way of their own. */
const CHECKED_LATER = new Set(['network', 'any-network']);

type Values = Readonly<Record<string, string>>;

function scene(world: World): void {
  demoScene(world);
  world.vpc({ name: 'vpc-a', owner: 'k8s' });
  world.aclList({ name: 'acl-a', vpc: 'vpc-a' });
}

function sample(parameter: Parameter): string {
  switch (parameter.type) {
    case 'integer':
    case 'long':
    case 'integer-list':
      return '1';
    case 'boolean':
      return 'true';
    case 'date':
      return '2026-01-01';
    case 'uuid':
    case 'uuid-list':
      return UNKNOWN;
    case 'string':
    case 'list':
    case 'map':
      return 'x';
  }
}

function requiredOf(command: Command): [string, Parameter][] {
  return Object.entries(command.parameters).filter(([, parameter]) => parameter.required === true);
}

/** Every required parameter with something of its type. */
function minimal(command: Command): Values {
  return Object.fromEntries(
    requiredOf(command).map(([name, parameter]) => [
      parameter.type === 'map' ? `${name}[0].key` : name,
      sample(parameter),
    ]),
  );
}

describe('every command', { timeout: 300_000 }, () => {
  const commands = [...commandTable.values()].filter(({ name }) => !/^(login|logout)$/.test(name));
  let cloud: TestCloud;
  let beginning: StateSnapshot;

  before(async () => {
    cloud = await TestCloud.start({ scene });
    beginning = cloud.simulator.snapshot();
  });
  after(() => cloud.simulator.close());

  const check = async (client: TestClient, command: Command, values: Values, response: string): Promise<void> => {
    const { status, text } = await client.send({ command: command.name, ...values, response }, 'POST');
    const call = `${command.name} ${JSON.stringify(values)}: ${text.slice(0, 300)}`;
    assert.doesNotMatch(text, SLIPS, call);
    if (response === 'json') assert.equal(content(text)['errorcode'] ?? 200, status, call);
    else assert.match(text, /^<\?xml version="1\.0".*<\/\w+>$/s, call);
  };

  it('answers odd values of every parameter in words of CloudStack, as JSON and as XML', async () => {
    assert.ok(commands.length > 100, `${commands.length} commands`);
    for (const command of commands) {
      for (const [index, [name, parameter]] of Object.entries(command.parameters).entries()) {
        const names = parameter.type === 'map' ? [name, `${name}[0]`, `${name}[x].key`, `${name}[0].odd`] : [name];
        const tries = names.flatMap((one) => ODD.map((odd) => ({ ...minimal(command), [one]: odd })));
        const client = index % 2 === 0 ? cloud.admin : cloud.user;
        for (const [number, values] of tries.entries())
          await check(client, command, values, number % 3 ? 'json' : 'xml');
      }
      await cloud.settle();
      const results = cloud.simulator.state.jobs.filter(() => true).map(({ result }) => JSON.stringify(result ?? ''));
      for (const result of results) assert.doesNotMatch(result, SLIPS, `${command.name}: ${result}`);
      cloud.simulator.restore(beginning);
    }
  });

  it('misses each parameter that it requires', async () => {
    for (const command of commands) {
      for (const [name, parameter] of requiredOf(command)) {
        const missing = Object.entries(minimal(command)).filter(([one]) => one.replace('[0].key', '') !== name);
        // The first thing that is wrong is told, so the others must be right as far as conversion goes.
        if (requiredOf(command).some(([other, { type }]) => other !== name && type.startsWith('uuid'))) continue;
        const { code, text } = await cloud.admin.refused(command.name, Object.fromEntries(missing));
        const expected = `Unable to execute API command ${nameInTexts(command)} due to missing parameter ${name}`;
        assert.deepEqual([code, text], [431, expected], `${command.name} without ${name} (${parameter.type})`);
      }
    }
  });

  it('knows no id that was never given', async () => {
    for (const command of commands) {
      for (const [name, parameter] of Object.entries(command.parameters)) {
        if (parameter.type !== 'uuid' || CHECKED_LATER.has(parameter.of)) continue;
        if (requiredOf(command).some(([other]) => other !== name)) continue;
        const { code, text } = await cloud.admin.refused(command.name, { [name]: UNKNOWN });
        assert.equal(code, 431, `${command.name} ${name}`);
        assert.match(
          String(text),
          new RegExp(`Invalid parameter ${name} value=${UNKNOWN} due to incorrect long value`),
        );
      }
    }
  });

  it('takes both halves of a page, or none, in every list', async () => {
    const lists = commands.filter(({ kind, parameters }) => kind === 'list' && 'pagesize' in parameters);
    assert.ok(lists.length > 30, `${lists.length} lists`);
    for (const command of lists.filter((one) => requiredOf(one).length === 0)) {
      const half = await cloud.admin.refused(command.name, { page: '1' });
      assert.deepEqual([half.code, half.text], [431, '"pagesize" parameter is required when "page" is specified']);
      const large = await cloud.admin.refused(command.name, { page: '1', pagesize: '501' });
      assert.match(String(large.text), /^Page size can't exceed max allowed page size value: 500$/, command.name);
    }
  });
});
