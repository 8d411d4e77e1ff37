import assert from 'node:assert/strict';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakeClock, Scope } from '@cloudstack-ccm/base';
import type { Notice } from '@cloudstack-ccm/cloud-controllers';
import { NotJsonError, TransportError, UnauthorizedError } from '@cloudstack-ccm/cloudstack-client';
import { advanceUntil } from './testing/fake-time.ts';
import { TestCloud } from './testing/test-cloud.ts';

const HTML = { kind: 'http', status: 200, body: '<html>', contentType: 'text/html' } as const;
const ADMIN_COMMANDS = /^listManagementServers/;

/** A cloud whose time the test controls, started. The signature's expiry is checked by the simulator's own clock. */
async function started(options: Parameters<typeof TestCloud.start>[0] = {}, prepare?: (cloud: TestCloud) => unknown) {
  const clock = new FakeClock(Date.now());
  const it = await TestCloud.start({ ...options, more: { ...options.more, clock } });
  await prepare?.(it);
  const scope = Scope.root(clock);
  const notices: Notice[] = [];
  await it.cloud.start(scope, (notice) => notices.push(notice));
  return {
    it,
    notices,
    cloud: it.cloud,
    simulator: it.simulator,
    scope,
    until: (holds: () => boolean) => advanceUntil(clock, holds),
    line: (message: string) => it.lines.find((line) => line.message === message),
    async [Symbol.asyncDispose]() {
      scope.cancel();
      await it[Symbol.asyncDispose]();
    },
  };
}

test('starts with the rights of an ordinary user, and learns the version without an administrator’s command', async () => {
  await using world = await started({ versionText: '4.20.2.0' });
  await world.until(() => world.line('CloudStack answers') !== undefined);
  assert.deepEqual(world.line('CloudStack answers')?.fields, {
    host: new URL(world.simulator.url).host,
    version: '4.20.2.0',
    zone: 'zone-a',
  });
  assert.equal(world.cloud.readiness(), undefined);
  assert.ok(world.it.commandsSince(0).every((command) => !ADMIN_COMMANDS.test(command)));
});

test('takes the administrator’s word for the version, without complaint when the server keeps it to itself', async () => {
  await using world = await started({ config: 'version = 4.21.0.0\n' }, ({ simulator }) => {
    const action = { kind: 'api-error', code: 432, text: 'not available' } as const;
    simulator.faults.add({ command: 'listCapabilities', action });
  });
  await world.until(() => world.line('CloudStack answers') !== undefined);
  assert.equal(world.line('CloudStack answers')?.fields['version'], '4.21.0.0');
  assert.equal(world.cloud.readiness(), undefined);
  assert.deepEqual(
    world.it.lines.filter(({ severity }) => severity !== 'info'),
    [],
  );
});

test('goes on with an unknown version, and says so once', async () => {
  await using world = await started({}, ({ simulator }) => {
    const action = { kind: 'api-error', code: 432, text: 'not available' } as const;
    simulator.faults.add({ command: 'listCapabilities', action });
  });
  await world.until(() => world.line('CloudStack answers') !== undefined);
  assert.equal(world.line('CloudStack answers')?.fields['version'], 'unknown');
  const warnings = world.it.lines.filter(({ severity }) => severity === 'warning');
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]?.message ?? '', /^no CloudStack version returned by the management server/);
});

test('stays up in front of a wrong endpoint, tells host, status and content type, and recovers by itself', async () => {
  await using world = await started({}, ({ simulator }) => simulator.faults.add({ action: HTML }));
  const told = (): string => world.cloud.readiness() ?? '';
  await world.until(() => told().includes('HTTP 200'));
  const host = new URL(world.simulator.url).host;
  assert.equal(
    told(),
    `${host} answered listCapabilities with HTTP 200 and text/html instead of CloudStack's JSON: check api-url and what stands between`,
  );
  await world.until(() => world.it.lines.some(({ severity }) => severity === 'error'));
  assert.match(JSON.stringify(world.it.lines.map(({ error }) => String(error))), /HTTP 200 and text\/html/);
  world.simulator.faults.clear();
  await world.until(() => told() === '');
  await world.until(() => world.line('CloudStack answers') !== undefined);
});

test('is not ready before CloudStack has answered, but says nothing against a replica that waits', async () => {
  await using cloud = await TestCloud.start();
  assert.equal(cloud.cloud.readiness(), undefined);
  await cloud.cloud.start(cloud.scope, () => undefined);
  assert.match(cloud.cloud.readiness() ?? '', /^CloudStack at 127\.0\.0\.1:\d+ has not answered yet$/);
});

test('tells that the key is refused', async () => {
  await using world = await started({ config: 'api-key = nobody\n' });
  await world.until(() => (world.cloud.readiness() ?? '').includes('refuses the API key'));
  assert.match(world.cloud.readiness() ?? '', /CloudStack API error 401 .*check api-key, secret-key and the clocks/);
});

test('notices when an idle cloud stops answering, and when it answers again', async () => {
  await using world = await started();
  await world.until(() => world.line('CloudStack answers') !== undefined);
  world.simulator.faults.add({ action: { kind: 'http', status: 503, body: '' } });
  await world.until(() => world.cloud.readiness() !== undefined);
  world.simulator.faults.clear();
  await world.until(() => world.cloud.readiness() === undefined);
});

test('a zone that cannot be told is told once, holds nothing up, and is looked for again', async () => {
  await using world = await started({
    scene: (world) => {
      world.zone({ name: 'zone-a' });
      world.zone({ name: 'zone-b' });
      world.account({ name: 'k8s' });
      world.network({ name: 'net-iso', owner: 'k8s', zone: 'zone-b', cidr: '10.1.1.0/24' });
      world.virtualMachine({ name: 'node-1', owner: 'k8s', networks: ['net-iso'] });
    },
    more: { hostNames: ['a-pod', 'node-late'] },
  });
  await world.until(() => world.line('CloudStack answers') !== undefined);
  assert.equal(world.line('CloudStack answers')?.fields['zone'], 'unknown');
  assert.equal(world.cloud.readiness(), undefined);
  const lists = (): number => world.it.commandsSince(0).filter((command) => command === 'listZones').length;
  await world.until(() => lists() > 2);
  const warnings = world.it.lines.filter(({ message }) => message.startsWith('The zone of this controller is unknown'));
  assert.equal(warnings.length, 1);
  assert.match(String(warnings[0]?.fields['reason']), /a-pod or node-late/);
  world.it.change('node-1', { name: 'node-late' });
  await world.until(() => world.line('The zone of this controller is known now') !== undefined);
  assert.equal(world.line('The zone of this controller is known now')?.fields['zone'], 'zone-b');
});

test('knows a project by its name, and looks it up once', async () => {
  await using world = await started({
    config: 'project-id = team-a\n',
    scene: (world) => {
      world.zone({ name: 'zone-a' });
      world.account({ name: 'k8s' });
      world.project({ name: 'team-a', owner: 'k8s' });
      world.network({ name: 'net-iso', owner: 'team-a', cidr: '10.1.1.0/24' });
      for (const name of ['node-1', 'node-2']) world.virtualMachine({ name, owner: 'team-a', networks: ['net-iso'] });
    },
  });
  const { instances } = world.it.cloud;
  const looked = instances.look(world.scope, world.it.nodes('node-1', 'node-2'), []);
  let sightings: unknown;
  void looked.then((result) => (sightings = [...result.byNode.values()]));
  await world.until(() => sightings !== undefined);
  assert.deepEqual(sightings, [{ state: 'running' }, { state: 'running' }]);
  assert.equal(world.it.commandsSince(0).filter((command) => command === 'listProjects').length, 1);
  const lists = world.simulator.callLog.entries.filter(({ command }) => command === 'listVirtualMachines');
  assert.ok(lists.length > 0 && lists.every(({ parameters }) => parameters['projectid']?.length === 36));
});

test('a project that nobody sees is told, and nothing is looked for outside of it', async () => {
  await using world = await started({ config: 'project-id = team-x\n' });
  await world.until(() => (world.cloud.readiness() ?? '').includes('team-x'));
  assert.match(world.cloud.readiness() ?? '', /project team-x \(project-id\) is not visible/);
  assert.ok(!world.it.commandsSince(0).includes('listVirtualMachines'));
});

test('lost project: every machine is absent and nobody bears witness', async () => {
  const scene: Parameters<typeof TestCloud.start>[0] = {
    scene: (world) => {
      world.zone({ name: 'zone-a' });
      world.account({ name: 'k8s' });
      world.project({ name: 'team-a', owner: 'k8s' });
      world.network({ name: 'net-iso', owner: 'team-a', cidr: '10.1.1.0/24' });
      for (let index = 1; index <= 10; index++) {
        world.virtualMachine({ name: `node-${index}`, owner: 'team-a', networks: ['net-iso'] });
      }
    },
  };
  await using cloud = await TestCloud.start(scene);
  const nodes = cloud.nodes(...Array.from({ length: 10 }, (_, index) => `node-${index + 1}`));
  const blind = await cloud.cloud.instances.look(cloud.scope, nodes, []);
  assert.ok([...blind.byNode.values()].every(({ state }) => state === 'absent'));
  assert.equal(blind.witness, undefined);
  await cloud.cloud.reconfigure(cloud.scope, cloud.config('k8s', 'project-id = team-a\n'));
  const seeing = await cloud.cloud.instances.look(cloud.scope, nodes, []);
  assert.ok([...seeing.byNode.values()].every(({ state }) => state === 'running'));
});

test('keys in a changed file are in use shortly after, without a restart', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'cloud-'));
  const configFile = join(directory, 'cloud-config');
  await using world = await started({ more: { configFile } }, async (it) => {
    const credentials = it.simulator.credentials.get('k8s');
    it.simulator.state.users.update(credentials?.user.id ?? '', { apiKey: 'K2-KEY', secretKey: 'K2-SECRET' });
    await writeFile(configFile, it.configText('k8s'));
  });
  try {
    await world.until(() => (world.cloud.readiness() ?? '').includes('refuses the API key'));
    const looked = world.cloud.instances.look(world.scope, world.it.nodes('node-1'), []);
    await assert.rejects(looked, UnauthorizedError, 'with refused keys nothing is learnt about any node');
    const text = world.it.configText('k8s').replace(/api-key = .*/, 'api-key = K2-KEY');
    // At once, as Kubernetes does it: a file that is half written would be refused.
    await writeFile(join(directory, 'next'), text.replace(/secret-key = .*/, 'secret-key = K2-SECRET'));
    await rename(join(directory, 'next'), configFile);
    await world.until(() => world.cloud.readiness() === undefined && world.notices.length > 0);
    assert.ok(world.line('Took a changed cloud-config into use'));
    const { text: metrics } = await world.it.metrics.expose();
    assert.match(metrics, /cloudstack_ccm_config_reloads_total\{result="success"\} 1/);
    const { type, reason, message } = world.notices.at(-1) ?? {};
    assert.deepEqual(
      [type, reason, message],
      ['Normal', 'CloudConfigReloaded', 'Took a changed cloud-config into use'],
    );
  } finally {
    await rm(directory, { recursive: true });
  }
});

test('a changed file that cannot work leaves the old configuration in use, and is tried again', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'cloud-'));
  const configFile = join(directory, 'cloud-config');
  await using world = await started({ more: { configFile } }, (it) => writeFile(configFile, it.configText('k8s')));
  try {
    await writeFile(configFile, world.it.configText('k8s', 'api-key = wrong\n'));
    await world.until(() => world.line('Kept the old cloud-config') !== undefined);
    assert.match(String(world.line('Kept the old cloud-config')?.error), /401/);
    assert.equal(world.cloud.readiness(), undefined);
    assert.match(world.notices.at(0)?.message ?? '', /^Kept the old cloud-config: .*401/);
    await writeFile(configFile, '[Global]\nnonsense\n');
    await world.until(() => world.it.lines.some(({ error }) => /unknown key nonsense/.test(String(error))));
    await writeFile(configFile, world.it.configText('other'));
    await world.until(() => world.line('Took a changed cloud-config into use') !== undefined);
    assert.ok(world.it.lines.filter(({ message }) => message === 'Kept the old cloud-config').length <= 4);
    const told = world.notices.map(({ type, reason }) => `${type} ${reason}`);
    assert.deepEqual(told.toSorted().slice(0, 1), ['Normal CloudConfigReloaded']);
    assert.ok(told.length <= 5, 'a problem that lasts is told once');
  } finally {
    await rm(directory, { recursive: true });
  }
});

test('keys in files of their own are tried and taken into use when they change', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'cloud-'));
  const configFile = join(directory, 'cloud-config');
  const files = 'api-key-file = api-key\nsecret-key-file = secret-key\n';
  await using world = await started({ more: { configFile } }, async (it) => {
    const { apiKey = '', secretKey = '' } = it.simulator.credentials.get('k8s') ?? {};
    await writeFile(configFile, `[Global]\napi-url = ${it.simulator.url}\n${files}`);
    await writeFile(join(directory, 'api-key'), `${apiKey}\n`);
    await writeFile(join(directory, 'secret-key'), secretKey);
  });
  try {
    await world.until(() => world.notices.length > 0);
    const { apiKey = '', secretKey = '' } = world.simulator.credentials.get('other') ?? {};
    await writeFile(join(directory, 'api-key'), apiKey);
    // In between the pair does not fit together: it is refused, and the old one stays.
    await world.until(() => world.notices.some(({ reason }) => reason === 'CloudConfigRefused'));
    assert.equal(world.cloud.readiness(), undefined);
    await writeFile(join(directory, 'secret-key'), `${secretKey}\n`);
    await world.until(() => world.notices.at(-1)?.reason === 'CloudConfigReloaded');
    let thrown: unknown;
    const asked = world.cloud.instances.metadata(world.scope, world.it.node('node-1'));
    void asked.catch((error: unknown) => (thrown = error));
    await world.until(() => thrown !== undefined);
    assert.match(String(thrown), /^NodeUnresolvedError/, 'the other account does not see the machine');
  } finally {
    await rm(directory, { recursive: true });
  }
});

test('what was seen with the old keys is not served under the new ones', async () => {
  await using world = await TestCloud.start();
  const { instances } = world.cloud;
  const nodes = world.nodes('node-1', 'node-2', 'node-3');
  for (const node of [...nodes, ...nodes, ...nodes]) await instances.metadata(world.scope, node);
  await world.cloud.reconfigure(world.scope, world.config('other'));
  await assert.rejects(instances.metadata(world.scope, world.node('node-1')), { name: 'NodeUnresolvedError' });
});

test('no output of a whole life holds the key, the secret or a signature', async () => {
  await using world = await started({}, ({ simulator }) => {
    const command = 'listVirtualMachines';
    simulator.faults.add({ command, count: 1, action: { kind: 'api-error', code: 530, text: 'out of order' } });
    simulator.faults.add({ command, count: 6, action: { kind: 'reset' } });
    simulator.faults.add({ command, count: 1, action: HTML });
  });
  const errors: unknown[] = [];
  let done = 0;
  for (let index = 0; index < 6; index++) {
    const looked = world.cloud.instances.look(world.scope, world.it.nodes('node-1'), []);
    void looked.catch((error: unknown) => errors.push(error)).finally(() => done++);
    await world.until(() => done === index + 1);
  }
  assert.ok(errors.some((error) => error instanceof TransportError));
  assert.ok(errors.some((error) => error instanceof NotJsonError));
  assert.ok(errors.length < 6, 'it worked in the end');
  const { apiKey = '', secretKey = '' } = world.simulator.credentials.get('k8s') ?? {};
  const output = [
    ...world.it.lines.map((line) => JSON.stringify(line) + String(line.error)),
    ...errors.map((error) => JSON.stringify(error) + String(error) + String(error instanceof Error && error.stack)),
    (await world.it.metrics.expose()).text,
    world.cloud.readiness() ?? '',
  ].join('\n');
  assert.ok(apiKey.length > 20 && secretKey.length > 20);
  assert.ok(!output.includes(apiKey) && !output.includes(secretKey) && !/signature=/i.test(output));
  assert.match(output, /listVirtualMachines/);
  assert.match(output, new RegExp(new URL(world.simulator.url).host));
});
