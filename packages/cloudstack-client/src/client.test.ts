import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createLogger,
  createMetrics,
  DeadlineExceededError,
  InvalidInputError,
  type LogRecord,
  Scope,
  Secret,
  systemClock,
} from '@cloudstack-ccm/base';
import { startSimulator, type Simulator, type World } from '@cloudstack-ccm/cloudstack-simulator';
import { createCloudStackClient, type ClientOptions } from './client.ts';
import {
  CapacityError,
  ConflictError,
  ForbiddenError,
  JobInterruptedError,
  mayHaveHappened,
  NotFoundError,
  TransportError,
  UnauthorizedError,
} from './errors.ts';
import { completed } from './jobs/job.ts';
import type { Connection } from './transport/connection.ts';

const DETAILS = { details: ['min', 'nics'] } as const;

function scene(world: World): void {
  world.zone({ name: 'zone-a' });
  world.account({ name: 'k8s' });
  world.account({ name: 'other' });
  world.network({ name: 'net-iso', owner: 'k8s', cidr: '10.1.1.0/24' });
  for (let index = 1; index <= 3; index++) {
    world.virtualMachine({ name: `node-${index}`, owner: 'k8s', networks: ['net-iso'] });
  }
}

/** A client in front of a CloudStack over TCP. */
async function world(options: Partial<ClientOptions> & { scene?: (world: World) => void; account?: string } = {}) {
  const simulator = await startSimulator({ scene: options.scene ?? scene });
  const lines: LogRecord[] = [];
  const scope = Scope.root();
  const client = createCloudStackClient({
    connection: connection(simulator, options.account ?? 'k8s'),
    clock: systemClock,
    log: createLogger({ sink: (line) => lines.push(line), verbosity: { level: 10 }, now: () => Date.now() }),
    metrics: createMetrics(),
    jobPace: { shortestMs: 1, expectedMs: 1 },
    ...options,
  });
  return {
    simulator,
    client,
    scope,
    lines,
    networkId: simulator.state.networks.find(({ name }) => name === 'net-iso')?.id ?? '',
    machineIds: [...simulator.state.virtualMachines.values()].map(({ id }) => id),
    async [Symbol.asyncDispose]() {
      client.destroy();
      await simulator.close();
    },
  };
}

function connection(simulator: Simulator, account: string): Connection {
  const keys = simulator.credentials.get(account);
  if (!keys) throw new Error(`no account ${account}`);
  return { url: simulator.url, apiKey: new Secret(keys.apiKey), secretKey: new Secret(keys.secretKey) };
}

function changeSettings({ state }: Simulator, changes: Partial<Simulator['state']['settings']>): void {
  state.settings = { ...state.settings, ...changes };
}

test('asks for what any account may ask', async () => {
  await using it = await world();
  assert.equal((await it.client.listCapabilities(it.scope)).cloudStackVersion, it.simulator.profile.version);
  assert.deepEqual(
    (await it.client.listZones(it.scope, {})).map(({ name }) => name),
    ['zone-a'],
  );
  const [machine] = await it.client.listVirtualMachines(it.scope, { name: 'NODE-2', ...DETAILS });
  assert.equal(machine?.name, 'node-2');
  assert.equal(machine.nics[0]?.networkName, 'net-iso');
  const [network] = await it.client.listNetworks(it.scope, { id: it.networkId });
  assert.equal(network?.services.get('Lb')?.capabilities.get('supportedlbalgorithms'), 'roundrobin,leastconn,source');
});

test('makes, changes and removes a load balancer with everything that belongs to it', async () => {
  await using it = await world();
  const { client, scope, networkId, machineIds } = it;
  const address = await completed(scope, client.associateIpAddress(scope, { networkId }));
  const submitted = await client.createLoadBalancerRule(scope, {
    name: 'web-tcp-80',
    algorithm: 'roundrobin',
    publicIpId: address.id,
    publicPort: 80,
    privatePort: 31080,
    networkId,
    protocol: 'tcp',
    cidrList: ['10.0.0.0/8', '192.0.2.0/24'],
    openFirewall: false,
  });
  const rule = await submitted.wait(scope);
  assert.equal(rule.id, submitted.objectId);
  assert.deepEqual([rule.publicPort, rule.privatePort, rule.sourceCidrs], [80, 31080, ['10.0.0.0/8', '192.0.2.0/24']]);

  const members = { id: rule.id, virtualMachineIds: machineIds };
  await completed(scope, client.assignToLoadBalancerRule(scope, members));
  const instances = await client.listLoadBalancerRuleInstances(scope, { id: rule.id });
  assert.deepEqual(
    instances.map(({ virtualMachine, addresses }) => [virtualMachine.name, addresses.length]),
    [
      ['node-1', 1],
      ['node-2', 1],
      ['node-3', 1],
    ],
  );
  const removed = { id: rule.id, virtualMachineIds: machineIds.slice(0, 1) };
  await completed(scope, client.removeFromLoadBalancerRule(scope, removed));
  const changed = await completed(scope, client.updateLoadBalancerRule(scope, { id: rule.id, algorithm: 'source' }));
  assert.equal(changed.algorithm, 'source');

  const opening = {
    ipAddressId: address.id,
    protocol: 'tcp',
    startPort: 80,
    endPort: 80,
    cidrList: ['0.0.0.0/0'],
  } as const;
  const firewallRule = await completed(scope, client.createFirewallRule(scope, opening));
  const marks = {
    resourceType: 'PublicIpAddress',
    resourceIds: [address.id],
    tags: [{ key: "owner's key", value: 'a=b&c (d)!' }],
  } as const;
  await completed(scope, client.createTags(scope, marks));
  const [tag] = await client.listTags(scope, { resourceId: address.id, resourceType: 'PublicIpAddress' });
  assert.deepEqual([tag?.key, tag?.value], ["owner's key", 'a=b&c (d)!']);

  const param = [
    { name: 'tablesize', value: '200k' },
    { name: 'expire', value: '30m' },
  ];
  const policy = { lbRuleId: rule.id, name: 'sticky', methodName: 'SourceBased', param };
  await completed(scope, client.createStickinessPolicy(scope, policy));
  const [policies = []] = await client.listStickinessPolicies(scope, { lbRuleId: rule.id });
  assert.deepEqual(policies[0]?.params, { tablesize: '200k', expire: '30m' });

  await completed(scope, client.deleteFirewallRule(scope, { id: firewallRule.id }));
  await completed(scope, client.deleteLoadBalancerRule(scope, { id: rule.id }));
  await assert.rejects(client.deleteLoadBalancerRule(scope, { id: rule.id }), NotFoundError);
  await completed(scope, client.disassociateIpAddress(scope, { id: address.id }));
  assert.deepEqual(await client.listPublicIpAddresses(scope, { id: address.id }), []);
});

test('sends lists by GET and what changes something by POST', async () => {
  const methods = new Map<string, boolean>();
  const note: ClientOptions['decorators'] = [
    (next) => (scope, call) => {
      methods.set(call.command, call.writes);
      return next(scope, call);
    },
  ];
  await using it = await world({ decorators: note });
  const { client, scope, networkId } = it;
  await completed(scope, client.associateIpAddress(scope, { networkId }));
  await client.listPublicIpAddresses(scope, {});
  assert.deepEqual(Object.fromEntries(methods), {
    associateIpAddress: true,
    queryAsyncJobResult: false,
    listPublicIpAddresses: false,
  });
});

test('works with a server that enforces POST and timestamps', async () => {
  await using it = await world();
  changeSettings(it.simulator, { enforcePostAndTimestamps: true });
  const { client, scope, networkId } = it;
  await completed(scope, client.associateIpAddress(scope, { networkId }));
});

test('reads every list completely when pages hold one item, and asks for no larger page', async () => {
  await using it = await world({
    scene: (simulated) => {
      scene(simulated);
      for (let index = 4; index <= 40; index++) {
        simulated.virtualMachine({ name: `node-${index}`, owner: 'k8s', networks: ['net-iso'] });
      }
    },
  });
  changeSettings(it.simulator, { defaultPageSize: 1 });
  const { client, scope, networkId } = it;
  const machines = await client.listVirtualMachines(scope, DETAILS);
  assert.deepEqual(
    machines.map(({ name }) => name),
    Array.from({ length: 40 }, (_, index) => `node-${index + 1}`),
  );
  const address = await completed(scope, client.associateIpAddress(scope, { networkId }));
  for (let port = 1; port <= 25; port++) {
    await completed(
      scope,
      client.createLoadBalancerRule(scope, {
        name: `rule-${port}`,
        algorithm: 'source',
        publicIpId: address.id,
        publicPort: port,
        privatePort: port,
        openFirewall: true,
      }),
    );
  }
  assert.equal((await client.listLoadBalancerRules(scope, {})).length, 25);
  assert.equal((await client.listFirewallRules(scope, { ipAddressId: address.id })).length, 25);
  const paged = it.simulator.callLog.entries.filter(({ parameters }) => parameters['pagesize'] !== undefined);
  assert.ok(paged.length > 0 && paged.every(({ parameters }) => parameters['pagesize'] === '1'));
  assert.ok(paged.some(({ parameters }) => parameters['page'] === '1'));
  assert.ok(
    it.simulator.callLog.entries.every(({ outcome }) => outcome.status === 200),
    'nothing was refused',
  );
});

test('waits for its turn when the account’s calls are used up, and then goes on', async () => {
  await using it = await world();
  it.simulator.faults.add({ count: 3, action: { kind: 'rate-limit', retryMs: 60 } });
  const before = performance.now();
  assert.equal((await it.client.listZones(it.scope, {})).length, 1);
  assert.ok(performance.now() - before >= 180);
});

test('a command whose answer is lost is not sent again, and counts as one that may have happened', async () => {
  await using it = await world();
  it.simulator.faults.add({ command: 'associateIpAddress', action: { kind: 'lost-answer' } });
  const { client, scope, networkId } = it;
  const taken = (): number =>
    it.simulator.state.publicIps.filter(({ state, isSourceNat }) => state !== 'Free' && !isSourceNat).length;
  await assert.rejects(
    client.associateIpAddress(scope, { networkId }),
    (error) => error instanceof TransportError && error.sent === 'maybe' && mayHaveHappened(error),
  );
  assert.equal(taken(), 1);
});

test('a list survives resets and a gateway that is not there for a moment', async () => {
  await using it = await world();
  await it.client.listZones(it.scope, {});
  it.simulator.faults.add({ count: 1, action: { kind: 'reset' } });
  it.simulator.faults.add({ count: 1, action: { kind: 'http', status: 502, body: '<html>' } });
  assert.equal((await it.client.listZones(it.scope, {})).length, 1);
});

test('tells refusals apart, at once and in jobs', async () => {
  await using it = await world();
  const { client, scope, networkId, machineIds } = it;
  const address = await completed(scope, client.associateIpAddress(scope, { networkId }));
  const rule = {
    name: 'a',
    algorithm: 'source',
    publicIpId: address.id,
    publicPort: 80,
    privatePort: 1,
    openFirewall: false,
  };
  const { id } = await completed(scope, client.createLoadBalancerRule(scope, rule));
  await assert.rejects(client.createLoadBalancerRule(scope, rule), ConflictError);
  await assert.rejects(client.associateIpAddress(scope, { networkId, ipAddress: '198.51.100.1' }), CapacityError);
  const members = { id, virtualMachineIds: machineIds.slice(0, 1) };
  await completed(scope, client.assignToLoadBalancerRule(scope, members));
  await assert.rejects(completed(scope, client.assignToLoadBalancerRule(scope, members)), {
    message: 'CloudStack API error 530 (CSExceptionErrorCode: 0): Failed to assign load balancer rule',
  });
});

test('waits for a job that an earlier process left', async () => {
  await using it = await world();
  const { client, scope, networkId } = it;
  it.simulator.faults.add({ command: 'associateIpAddress', action: { kind: 'slow-job', ms: 60 } });
  const { jobId, objectId } = await client.associateIpAddress(scope, { networkId });
  await client.waitForJob(scope, jobId);
  const [address] = await client.listPublicIpAddresses(scope, { id: objectId });
  assert.equal(address?.state, 'Allocated');
  it.simulator.faults.add({ command: 'disassociateIpAddress', action: { kind: 'job-fails', code: 530, text: 'no' } });
  const failing = await client.disassociateIpAddress(scope, { id: address.id });
  await assert.rejects(client.waitForJob(scope, failing.jobId), { errorCode: 530, text: 'no' });
  await assert.rejects(client.waitForJob(scope, '00000000-0000-4000-8000-000000000000'), NotFoundError);
});

test('a restart of the server in the middle of a job is an error of its own', async () => {
  await using it = await world();
  const { client, scope, networkId } = it;
  it.simulator.faults.add({ command: 'associateIpAddress', action: { kind: 'job-interrupted' } });
  await assert.rejects(completed(scope, client.associateIpAddress(scope, { networkId })), JobInterruptedError);
});

test('a server that never answers costs no more than the time allowed', async () => {
  await using it = await world();
  it.client.replaceConnection({ ...connection(it.simulator, 'k8s'), timeoutMs: 150 });
  it.simulator.faults.add({ action: { kind: 'hang' } });
  await assert.rejects(it.client.listZones(it.scope, {}), DeadlineExceededError);
});

test('other keys are in use from the next call on, while calls that run go on', async () => {
  const sent = Promise.withResolvers<void>();
  const tellWhenSent: ClientOptions['decorators'] = [
    (next) => (scope, call) => {
      const answer = next(scope, call);
      sent.resolve();
      return answer;
    },
  ];
  await using it = await world({ account: 'other', decorators: tellWhenSent });
  const machines = (): Promise<number> =>
    it.client.listVirtualMachines(it.scope, DETAILS).then((found) => found.length);
  it.simulator.faults.add({ count: 1, action: { kind: 'latency', ms: 50 } });
  const running = machines();
  await sent.promise;
  it.client.replaceConnection(connection(it.simulator, 'k8s'));
  assert.equal(it.client.generation, 2);
  assert.deepEqual([await running, await machines()], [0, 3]);
});

test('a connection that is none leaves the old one in use', async () => {
  await using it = await world();
  const wrong = { ...connection(it.simulator, 'k8s'), url: 'nowhere' };
  assert.throws(() => it.client.replaceConnection(wrong), InvalidInputError);
  assert.equal(it.client.generation, 1);
  assert.equal((await it.client.listZones(it.scope, {})).length, 1);
});

test('sends the project with every command that takes one, and with no other', async () => {
  const projectId = '00000000-0000-4000-8000-000000000000';
  await using it = await world({ project: async () => projectId });
  const { client, scope } = it;
  await assert.rejects(client.listVirtualMachines(scope, DETAILS), NotFoundError);
  await assert.rejects(client.associateIpAddress(scope, { networkId: it.networkId }), NotFoundError);
  await client.listZones(scope, {});
  const sent = it.simulator.callLog.entries.map(({ command, parameters }) => [command, parameters['projectid']]);
  assert.deepEqual(sent, [
    ['listVirtualMachines', projectId],
    ['associateIpAddress', projectId],
    ['listZones', undefined],
  ]);
});

test('wrong keys are told apart from missing rights', async () => {
  await using it = await world();
  const wrong = { ...connection(it.simulator, 'k8s'), secretKey: new Secret('wrong') };
  it.client.replaceConnection(wrong);
  await assert.rejects(it.client.listZones(it.scope, {}), UnauthorizedError);
  it.client.replaceConnection(connection(it.simulator, 'k8s'));
  const denied = {
    kind: 'api-error',
    code: 432,
    text: 'The API [listTags] does not exist or is not available',
  } as const;
  it.simulator.faults.add({ command: 'listTags', action: denied });
  await assert.rejects(it.client.listTags(it.scope, {}), ForbiddenError);
});

test('logs each call with command and host, and never the keys', async () => {
  await using it = await world();
  await it.client.listZones(it.scope, { name: 'zone-a' });
  const output = it.lines.map((line) => JSON.stringify(line)).join('\n');
  const { apiKey, secretKey } = connection(it.simulator, 'k8s');
  assert.match(output, /listZones/);
  assert.match(output, /zone-a/);
  assert.match(output, new RegExp(it.client.host));
  assert.ok(!output.includes(apiKey.reveal()) && !output.includes(secretKey.reveal()));
  assert.doesNotMatch(output, /signature/i);
});
