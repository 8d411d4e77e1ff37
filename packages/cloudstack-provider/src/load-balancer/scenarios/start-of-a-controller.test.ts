import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LoadBalancerStatus } from '@cloudstack-ccm/cloud-controllers';
import { TestCloud } from '../../testing/test-cloud.ts';
import { TestService } from '../testing/service.ts';

const NODES = ['node-1', 'node-2', 'node-3'];
const NOT_AVAILABLE = { kind: 'api-error', code: 432, text: 'does not exist or is not available' } as const;

function ensure(it: TestCloud, service: TestService): Promise<LoadBalancerStatus> {
  return service.work((context, view) => it.cloud.loadBalancers.ensure(context, view, it.nodes(...NODES)));
}

function ruleIds({ simulator }: TestCloud): readonly string[] {
  return [...simulator.state.loadBalancerRules.values()].map(({ id }) => id);
}

/** A Service whose source list changes. @returns commands that changed rules, with the ids of rules before and after */
async function changeSources(world: TestCloud): Promise<{
  readonly changes: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
}> {
  const service = new TestService();
  service.annotate({ 'source-cidrs': '10.0.0.0/8' });
  await world.cloud.start(world.scope, () => undefined);
  const { ingress } = await ensure(world, service);
  assert.equal(ingress.length, 1);
  const [before, written] = [ruleIds(world), world.simulator.writeLog.last];
  service.annotate({ 'source-cidrs': '172.16.0.0/12' });
  await ensure(world, service);
  const [rule] = [...world.simulator.state.loadBalancerRules.values()];
  assert.equal(rule?.cidrList, '172.16.0.0/12');
  assert.equal(rule?.members.length, 3);
  const changes = world.simulator.writeLog.since(written).map(({ command }) => command);
  return { changes: changes.filter((one) => one.endsWith('LoadBalancerRule')), before, after: ruleIds(world) };
}

const BY_RECREATION = ['deleteLoadBalancerRule', 'createLoadBalancerRule', 'assignToLoadBalancerRule'];

/** Numbers are those of the list of cases from the field. */
describe('a controller that starts', () => {
  it('1: without administrator rights learns that 4.20 cannot change a source list in place', async () => {
    await using world = await TestCloud.start({ version: '4.20', versionText: '4.20.2.0' });
    for (const command of ['listManagementServersMetrics', 'listManagementServers'])
      world.simulator.faults.add({ command, action: NOT_AVAILABLE });
    const { changes, before, after } = await changeSources(world);
    assert.deepEqual(changes, BY_RECREATION);
    assert.notDeepEqual(after, before);
    assert.ok(world.commandsSince(0).every((command) => !command.startsWith('listManagementServers')));
    assert.ok(world.simulator.callLog.entries.every(({ outcome }) => outcome.errorText === undefined));
  });

  it('2: with a version from cloud-config goes by it, though the server could do more', async () => {
    await using world = await TestCloud.start({ version: '4.22', config: 'version = 4.21.0.0\n' });
    world.simulator.faults.add({ command: 'listCapabilities', action: NOT_AVAILABLE });
    const { changes } = await changeSources(world);
    assert.deepEqual(changes, BY_RECREATION);
    const updates = world.simulator.callLog.entries.filter(({ command }) => command === 'updateLoadBalancerRule');
    assert.ok(updates.every(({ parameters }) => parameters['cidrlist'] === undefined));
    assert.deepEqual(
      world.lines.filter(({ severity }) => severity !== 'info'),
      [],
    );
  });

  it('3: takes a version with a suffix for that version', async () => {
    await using world = await TestCloud.start({ version: '4.22', versionText: '4.22.0.0-SNAPSHOT' });
    const { changes, before, after } = await changeSources(world);
    assert.deepEqual(changes, ['updateLoadBalancerRule']);
    assert.deepEqual(after, before);
  });

  it('4: in front of a wrong endpoint tells whom it reached, and serves when that is mended', async () => {
    await using world = await TestCloud.start();
    const action = { kind: 'http', status: 200, body: '<html>', contentType: 'text/html' } as const;
    world.simulator.faults.add({ action });
    await world.cloud.start(world.scope, () => undefined);
    const service = new TestService();
    const host = new URL(world.simulator.url).host.replaceAll('.', String.raw`\.`);
    await assert.rejects(ensure(world, service), new RegExp(`${host} answered \\w+ with HTTP 200 and text/html`));
    assert.notEqual(world.cloud.readiness(), undefined);
    world.simulator.faults.clear();
    assert.equal((await ensure(world, service)).ingress.length, 1);
  });

  it('7: waits as long as a throttled API says, warns nobody, and serves all', async () => {
    await using world = await TestCloud.start();
    const [service, other] = [new TestService(), new TestService({ uid: 'other', name: 'other' })];
    world.simulator.faults.add({ action: { kind: 'rate-limit', retryMs: 637 }, count: 3 });
    const began = Date.now();
    await Promise.all([ensure(world, service), ensure(world, other)]);
    assert.equal(world.simulator.faults.list()[0]?.hits, 3);
    const [first] = world.simulator.callLog.entries;
    assert.ok(first && first.time - began >= 637, 'it came again before it was let in');
    assert.equal(world.simulator.state.loadBalancerRules.size, 2);
    assert.deepEqual([service.takeReasons(), other.takeReasons()], [['AddressAssociated'], ['AddressAssociated']]);
  });
});
