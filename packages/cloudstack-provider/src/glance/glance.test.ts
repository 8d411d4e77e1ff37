import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Scope, systemClock } from '@cloudstack-ccm/base';
import { completed } from '@cloudstack-ccm/cloudstack-client';
import type { Cloud, Controller } from '../load-balancer/testing/cloud.ts';
import { port, TestService } from '../load-balancer/testing/service.ts';
import { withCloud } from '../load-balancer/testing/with-cloud.ts';

const NODES = ['node-1', 'node-2', 'node-3'];
const SERVICES = 12;
/** Services that are looked at for themselves before they count as many, with four questions each. */
const FEW = 3;

function manyServices(): readonly TestService[] {
  return Array.from({ length: SERVICES }, (_, index) => {
    const uid = `${String(index).padStart(8, '0')}-0000-0000-0000-000000000000`;
    return new TestService({ name: `web-${index}`, uid, ports: [port('80'), port('443')] });
  });
}

describe('many unchanged Services', () => {
  const cloud = withCloud({
    scene: (world) => {
      world.zone({ name: 'zone-a', publicRange: ['203.0.113.10', '203.0.113.60'] });
      world.account({ name: 'k8s' });
      world.network({ name: 'net-iso', owner: 'k8s', cidr: '10.1.1.0/24' });
      for (const name of [...NODES, 'node-4']) world.virtualMachine({ name, owner: 'k8s', networks: ['net-iso'] });
    },
  });

  /** Time passes, but the tests are not to depend on how fast. */
  let now = 0;

  function controller(): Controller {
    return cloud().controller({ clock: { ...systemClock, monotonic: () => (now += 0.001) } });
  }

  async function pass(process: Controller, services: readonly TestService[]): Promise<Record<string, number>> {
    const before = cloud().lastCall;
    for (const service of services) await process.ensure(service, cloud().nodes(...NODES));
    return countOf(cloud(), before);
  }

  it('cost one list of each kind together, and no write', async () => {
    const process = controller();
    const services = manyServices();
    await pass(process, services);
    const written = cloud().lastWrite;
    const calls = await pass(process, services);
    assert.equal(cloud().lastWrite, written);
    assert.deepEqual(calls, {
      listLoadBalancerRules: FEW + 1,
      listPublicIpAddresses: FEW + 1,
      listFirewallRules: FEW + 1,
      listLoadBalancerRuleInstances: FEW * 2,
    });
    assert.deepEqual(await pass(process, services), {}, 'the lists are still young');
  });

  it('cost a process that has just started the members of their rules besides', async () => {
    const services = manyServices();
    await pass(controller(), services);
    const calls = await pass(controller(), services);
    assert.deepEqual(calls, {
      listVirtualMachines: 1,
      listNetworks: 1,
      listLoadBalancerRules: FEW + 1,
      listPublicIpAddresses: FEW + 1,
      listFirewallRules: FEW + 1,
      listLoadBalancerRuleInstances: SERVICES * 2,
    });
  });

  it('are repaired where something was changed by hand', async () => {
    const process = controller();
    const services = manyServices();
    await pass(process, services);
    const [rules, firewall] = [cloud().rules(), cloud().firewall()];
    await changeByHand();
    assert.notDeepEqual(cloud().rules(), rules);
    assert.notDeepEqual(cloud().firewall(), firewall);
    await pass(process, services);
    assert.deepEqual([cloud().rules(), cloud().firewall()], [rules, firewall]);
  });

  it('follow what their authors change, and keep to it', async () => {
    const process = controller();
    const services = manyServices();
    await pass(process, services);
    for (const service of services) service.edit({ loadBalancerSourceRanges: ['192.0.2.0/24'] });
    await pass(process, services);
    assert.ok(
      cloud()
        .firewall()
        .every((opening) => opening.endsWith('192.0.2.0/24')),
    );
    const written = cloud().lastWrite;
    await pass(process, services);
    assert.equal(cloud().lastWrite, written);
  });

  it('take a new node with one assignment for each rule and one list for all', async () => {
    const process = controller();
    const services = manyServices();
    await pass(process, services);
    const before = cloud().lastCall;
    const nodes = cloud().nodes(...NODES, 'node-4');
    for (const service of services) await process.updateMembers(service, nodes);
    assert.ok(
      cloud()
        .rules()
        .every((rule) => rule.includes('[node-1,node-2,node-3,node-4]')),
    );
    const { queryAsyncJobResult: _polls, ...calls } = countOf(cloud(), before);
    assert.deepEqual(calls, {
      listLoadBalancerRules: FEW + 1,
      listLoadBalancerRuleInstances: FEW * 2,
      assignToLoadBalancerRule: SERVICES * 2,
    });
    now += 1000;
    for (const service of services) await process.ensure(service, nodes);
    const written = cloud().lastWrite;
    const reads = cloud().lastCall;
    for (const service of services) await process.ensure(service, nodes);
    assert.deepEqual([cloud().lastWrite, countOf(cloud(), reads)], [written, {}]);
  });

  it('are read again where CloudStack refuses a member, because a person had added it', async () => {
    const process = controller();
    const services = manyServices();
    await pass(process, services);
    const nodes = cloud().nodes(...NODES, 'node-4');
    await addEverywhere('node-4');
    for (const service of services.slice(0, FEW)) await process.updateMembers(service, nodes);
    const [service] = services.slice(-1);
    assert.ok(service);
    await assert.rejects(process.updateMembers(service, nodes), /node-4|already/);
    await process.updateMembers(service, nodes);
  });

  async function changeByHand(): Promise<void> {
    using scope = Scope.root();
    const { client } = cloud();
    const { id } = [...(await client.listLoadBalancerRules(scope, {}))].at(-1) ?? { id: '' };
    await completed(scope, client.updateLoadBalancerRule(scope, { id, algorithm: 'source' }));
    const { id: opening } = (await client.listFirewallRules(scope, {})).at(3) ?? { id: '' };
    await completed(scope, client.deleteFirewallRule(scope, { id: opening }));
  }

  async function addEverywhere(machine: string): Promise<void> {
    using scope = Scope.root();
    const members = { virtualMachineIds: [cloud().machineId(machine)] };
    for (const id of cloud().ruleIds()) {
      await completed(scope, cloud().client.assignToLoadBalancerRule(scope, { id, ...members }));
    }
  }
});

function countOf(cloud: Cloud, seq: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { command } of cloud.callsSince(seq)) counts[command] = (counts[command] ?? 0) + 1;
  return counts;
}
