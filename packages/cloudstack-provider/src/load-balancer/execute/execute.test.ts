import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KeyedLock, Scope, silentLogger, systemClock } from '@cloudstack-ccm/base';
import { UnauthorizedError } from '@cloudstack-ccm/cloudstack-client';
import type { Action } from '../plan/actions.ts';
import { ActionError } from '../errors.ts';
import { Executor, type Execution } from './execute.ts';
import { NetworkQueue } from './network-queue.ts';
import type { Step } from '../plan/step.ts';
import type { Cloud } from '../testing/cloud.ts';
import { withCloud } from '../testing/with-cloud.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

function executor(cloud: Cloud): Executor {
  const networkQueue = new NetworkQueue(systemClock, 2);
  return new Executor({ client: cloud.client, aclLocks: new KeyedLock(), networkQueue });
}

async function execute(cloud: Cloud, steps: readonly Step[]): Promise<Execution> {
  using scope = Scope.root();
  return await executor(cloud).execute(scope, silentLogger, steps, cloud.networkId('net-iso'));
}

describe('the executor', () => {
  const cloud = withCloud();

  const opening = (address: string, port: number, sourceCidrs = ['0.0.0.0/0']): Action => ({
    kind: 'create-firewall-rule',
    key: `${port}`,
    addressId: cloud().addressId(address),
    address,
    transport: 'tcp',
    port,
    sourceCidrs,
  });

  it('leaves out what hangs on a step that failed, and nothing else', async () => {
    const { address } = await cloud().handMade('rule');
    const bad = opening(address, 90, ['no network']);
    const execution = await execute(cloud(), [
      { chain: 'a', action: bad },
      { chain: 'a', action: opening(address, 91) },
      { chain: 'b', needs: ['a'], action: opening(address, 92) },
      { chain: 'c', needs: ['b'], action: opening(address, 93) },
      { chain: 'd', action: opening(address, 94) },
      { chain: 'e', last: true, action: opening(address, 95) },
    ]);
    assert.deepEqual(
      cloud()
        .firewall()
        .map((line) => line.split(' ')[2]),
      ['80-80', '93-93', '94-94'],
    );
    assert.equal(execution.errors.length, 1);
    assert.ok(execution.errors[0] instanceof ActionError);
    assert.match(execution.errors[0].message, /^failed to open tcp 90 on \S+ for no network: CloudStack API error 431/);
    assert.equal(execution.errors[0].action, bad);
  });

  it('reports every error of independent steps', async () => {
    const { address } = await cloud().handMade('rule');
    const { errors } = await execute(cloud(), [
      { chain: 'a', action: opening(address, 90, ['x']) },
      { chain: 'b', action: opening(address, 91, ['y']) },
    ]);
    assert.equal(errors.length, 2);
  });

  it('waits for what runs beside before a step that needs it', async () => {
    const { address } = await cloud().handMade('rule');
    cloud().fail('createFirewallRule', { kind: 'slow-job', ms: 50 }, 1);
    const before = cloud().lastWrite;
    await execute(cloud(), [
      { chain: 'a', aside: 'access', action: opening(address, 90) },
      { chain: 'b', action: { kind: 'delete-rule', id: cloud().ruleIds()[0] ?? '', ruleName: 'rule', address } },
      { chain: 'c', needs: ['a'], action: opening(address, 91) },
      { chain: 'd', aside: 'access', action: opening(address, 92, ['no network']) },
      { chain: 'e', needs: ['d'], action: opening(address, 93) },
      { chain: 'f', last: true, action: opening(address, 94) },
    ]);
    const ports = cloud()
      .firewall()
      .map((line) => line.split(' ')[2]);
    assert.deepEqual(ports, ['80-80', '90-90', '91-91']);
    assert.ok(cloud().writesSince(before).slice(0, 2).includes('deleteLoadBalancerRule'), 'which needed nobody');
  });

  it('takes it for success that what should go is gone already', async () => {
    const { ruleId, address } = await cloud().handMade('rule');
    const ends: readonly Action[] = [
      { kind: 'delete-rule', id: UNKNOWN, ruleName: 'x', address },
      { kind: 'delete-firewall-rule', id: UNKNOWN, address, transport: 'tcp', port: 1, sourceCidrs: [] },
      { kind: 'delete-acl-item', id: UNKNOWN, aclId: 'acl', aclName: 'acl', number: 1 },
      { kind: 'remove-stickiness', id: UNKNOWN, ruleName: 'x' },
      { kind: 'remove-members', rule: { id: ruleId }, ruleName: 'x', members: [{ machineId: UNKNOWN, name: 'x' }] },
    ];
    const { errors } = await execute(
      cloud(),
      ends.map((action, index) => ({ chain: `${index}`, action })),
    );
    assert.deepEqual(errors, []);
  });

  it('marks what the plan made, and does not wait for that before it goes on', async () => {
    const { address } = await cloud().handMade('rule');
    cloud().fail('createTags', { kind: 'slow-job', ms: 100 });
    const objects = [{ planned: '90' }, { planned: 'never made' }];
    const tags = [{ key: 'k', value: 'v' }];
    const before = cloud().lastWrite;
    const { errors } = await execute(cloud(), [
      { chain: 'a', action: opening(address, 90) },
      { chain: 'marks', aside: 'marks', action: { kind: 'add-tags', resourceType: 'FirewallRule', objects, tags } },
      { chain: 'b', action: opening(address, 91) },
    ]);
    assert.deepEqual(errors, []);
    assert.deepEqual(new Set(cloud().writesSince(before)), new Set(['createFirewallRule', 'createTags']));
    assert.equal(cloud().firewall().length, 3);
    assert.equal([...cloud().simulator.state.tags.values()].filter((tag) => tag.key === 'k').length, 1);
  });

  const marking = (...objects: readonly string[]): Step => {
    const refs = objects.map((planned) => ({ planned }));
    const tags = [{ key: 'k', value: 'v' }];
    const action = { kind: 'add-tags', resourceType: 'FirewallRule', objects: refs, tags } as const;
    return { chain: 'marks', aside: 'access', eager: true, action };
  };
  const marked = (): number => [...cloud().simulator.state.tags.values()].filter(({ key }) => key === 'k').length;

  it('marks what the lane has made while the last job of it still runs, all in one call', async () => {
    const { address } = await cloud().handMade('rule');
    cloud().fail('createFirewallRule', { kind: 'slow-job', ms: 100 });
    const before = cloud().lastCall;
    const { errors } = await execute(cloud(), [
      { chain: 'a', aside: 'access', action: opening(address, 90) },
      { chain: 'b', aside: 'access', action: opening(address, 91) },
      marking('90', '91'),
    ]);
    assert.deepEqual(errors, []);
    const calls = cloud().callsSince(before);
    const opened = calls.findLast(({ command }) => command === 'createFirewallRule')?.outcome.jobId;
    const last = calls.findLast(({ parameters }) => parameters['jobid'] === opened);
    const tagged = calls.filter(({ command }) => command === 'createTags');
    assert.equal(tagged.length, 1);
    assert.ok((tagged[0]?.seq ?? Infinity) < (last?.seq ?? 0), 'before the job of the last opening was seen to end');
    assert.equal(marked(), 2);
  });

  it('marks the others when one could not be made, and forgets what a failed job took away', async () => {
    const { address } = await cloud().handMade('rule');
    const refused = await execute(cloud(), [
      { chain: 'a', aside: 'access', action: opening(address, 90) },
      { chain: 'b', aside: 'access', action: opening(address, 91, ['no network']) },
      marking('90', '91'),
    ]);
    assert.equal(refused.errors.length, 1);
    assert.equal(marked(), 1);
    cloud().fail('createFirewallRule', { kind: 'job-fails', code: 530, text: 'router is busy' }, 1);
    const failed = await execute(cloud(), [{ chain: 'a', aside: 'access', action: opening(address, 92) }]);
    assert.equal(failed.errors.length, 1);
    assert.equal(failed.idOf({ planned: '92' }), undefined);
  });

  const rule = (name: string, port: number, address: string): Step => ({
    chain: `rule ${name}`,
    action: {
      kind: 'create-rule',
      name,
      description: '',
      protocol: 'tcp',
      algorithm: 'roundrobin',
      addressId: cloud().addressId(address),
      address,
      networkId: cloud().networkId('net-iso'),
      publicPort: port,
      privatePort: 30_000,
      sourceCidrs: undefined,
    },
  });
  const members = (name: string): Step => {
    const machine = { machineId: cloud().machineId('node-1'), name: 'node-1' };
    return {
      chain: `rule ${name}`,
      action: { kind: 'add-members', rule: { planned: name }, ruleName: name, members: [machine] },
    };
  };

  it('opens the port of a rule while its job is at work, and gives it members when that is done', async () => {
    const { address } = await cloud().handMade('rule');
    cloud().fail('createLoadBalancerRule', { kind: 'slow-job', ms: 300 }, 1);
    const before = cloud().lastCall;
    const { errors } = await execute(cloud(), [
      rule('new', 90, address),
      { chain: 'rule new', aside: 'access', action: opening(address, 90) },
      members('new'),
    ]);
    assert.deepEqual(errors, []);
    const calls = cloud().callsSince(before);
    const job = calls.find(({ command }) => command === 'createLoadBalancerRule')?.outcome.jobId;
    const end = calls.findLast(({ parameters }) => parameters['jobid'] === job)?.seq ?? 0;
    const sent = (command: string): number => calls.find((call) => call.command === command)?.seq ?? 0;
    assert.ok(sent('createFirewallRule') < end, 'the opening waited for the job of the rule');
    assert.ok(sent('assignToLoadBalancerRule') > end, 'the members did not');
  });

  it('gives no members to a rule whose job failed, and those of the others theirs', async () => {
    const { address } = await cloud().handMade('rule');
    cloud().fail('createLoadBalancerRule', { kind: 'job-fails', code: 530, text: 'router is busy' }, 1);
    const execution = await execute(cloud(), [
      rule('bad', 90, address),
      rule('good', 91, address),
      members('bad'),
      members('good'),
      { chain: 'after all', needs: ['rule bad'], action: opening(address, 92) },
    ]);
    assert.deepEqual(
      execution.errors.map(({ message }) => message.split(':')[0]),
      [`failed to create rule bad on ${address} → node port 30000 (roundrobin)`],
    );
    assert.equal(execution.idOf({ planned: 'bad' }), undefined);
    assert.notEqual(execution.idOf({ planned: 'good' }), undefined);
    assert.deepEqual(cloud().firewall().length, 1);
  });

  it('stops at once when the credentials are refused', async () => {
    const { address } = await cloud().handMade('rule');
    cloud().fail('createFirewallRule', { kind: 'api-error', code: 401, text: 'unable to verify user credentials' }, 1);
    const before = cloud().lastWrite;
    await assert.rejects(
      execute(cloud(), [
        { chain: 'a', action: opening(address, 90) },
        { chain: 'b', action: opening(address, 91) },
      ]),
      UnauthorizedError,
    );
    assert.ok(cloud().writesSince(before).length <= 1);
    assert.equal(cloud().firewall().length, 1);
  });

  it('stops at once when nobody waits for it any more', async () => {
    const { address } = await cloud().handMade('rule');
    using scope = Scope.root();
    scope.cancel(new Error('leadership was lost'));
    const steps = [{ chain: 'a', action: opening(address, 90) }];
    await assert.rejects(executor(cloud()).execute(scope, silentLogger, steps), /leadership was lost/);
    assert.equal(cloud().firewall().length, 1);
  });
});
