import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Decorator } from '@cloudstack-ccm/cloudstack-client';
import { isolatedScene, node, type Cloud } from '../testing/cloud.ts';
import { LB, port, TestService } from '../testing/service.ts';
import { withCloud } from '../testing/with-cloud.ts';

const NODES = ['node-1', 'node-2', 'node-3'];

/** Numbers are those of the list of cases from the field. */
describe('members of rules, as users met them', () => {
  const cloud = withCloud({
    scene: (world) => {
      isolatedScene(world);
      world.network({ name: 'other-net', owner: 'k8s', cidr: '10.9.1.0/24' });
      world.virtualMachine({ name: 'node-4', owner: 'k8s', networks: ['net-iso'] });
      world.virtualMachine({ name: 'node-5', owner: 'k8s', networks: ['net-iso'] });
      world.virtualMachine({ name: 'elsewhere', owner: 'k8s', networks: ['other-net'] });
    },
  });

  it('21: have drifted: the missing one is added before the surplus one is removed', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes('node-1', 'node-2'));
    const before = cloud().lastWrite;
    await controller.ensure(service, cloud().nodes('node-2', 'node-3'));
    assert.deepEqual(cloud().writesSince(before), ['assignToLoadBalancerRule', 'removeFromLoadBalancerRule']);
    assert.deepEqual(cloud().members(), ['node-2', 'node-3']);
  });

  it('21: nothing is removed when the missing one cannot be added', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes('node-1', 'node-2'));
    cloud().fail('assignToLoadBalancerRule', { kind: 'job-fails', code: 530, text: 'Failed to assign' });
    await assert.rejects(controller.ensure(service, cloud().nodes('node-2', 'node-3')), /Failed to assign/);
    assert.deepEqual(cloud().members(), ['node-1', 'node-2']);
  });

  it('22: a node whose machine is not visible yet is skipped, and told of', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    service.takeReasons();
    await controller.ensure(service, [...cloud().nodes(...NODES), node('node-9', undefined)]);
    assert.match(service.takeMessages(), /^NodeNotMatched: .*node-9/);
    assert.deepEqual(cloud().members(), NODES);
  });

  it('22: it becomes a member as soon as its machine is seen, and then alone is written', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    const joining = [...cloud().nodes(...NODES), node('node-6', undefined)];
    await controller.ensure(service, joining);
    assert.deepEqual(cloud().members(), NODES);
    const { state } = cloud().simulator;
    const pattern = state.virtualMachines.get(cloud().machineId('node-5'));
    assert.ok(pattern);
    state.virtualMachines.update(pattern.id, { name: 'node-6' });
    const before = cloud().lastWrite;
    await cloud().controller().ensure(service, joining);
    assert.deepEqual(cloud().writesSince(before), ['assignToLoadBalancerRule']);
    assert.deepEqual(cloud().members(), [...NODES, 'node-6']);
  });

  it('22: a list that shows no machine for once takes nobody out', async () => {
    const service = new TestService();
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    const before = cloud().lastWrite;
    const back = hideMachines(cloud());
    await assert.rejects(
      cloud()
        .controller()
        .ensure(service, cloud().nodes(...NODES)),
      /none of the hosts matched the list of VMs retrieved from CS API: .*node-1.*node-2.*node-3/,
    );
    assert.deepEqual(cloud().writesSince(before), []);
    back();
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(cloud().members(), NODES);
  });

  it('22: the machine of a node that cannot be found stays a member as long as it exists', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    const lost = node('NODE-2.example.org', 'malformed/id/x');
    await controller.ensure(service, [lost, ...cloud().nodes('node-3', 'node-4')]);
    assert.deepEqual(cloud().members(), ['node-2', 'node-3', 'node-4'], 'node-1 is no node any more');
  });

  it('22: nothing is written when no node can be found', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    const before = cloud().lastWrite;
    const lost = [node('ghost-1', undefined), node('ghost-2', undefined)];
    const expected = /none of the hosts matched the list of VMs retrieved from CS API: .*ghost-1.*ghost-2/;
    await assert.rejects(controller.ensure(service, lost), expected);
    await assert.rejects(controller.updateMembers(service, lost), expected);
    assert.deepEqual(cloud().writesSince(before), []);
    await assert.rejects(controller.ensure(new TestService({ uid: 'new-one' }), lost), expected);
    assert.deepEqual(cloud().writesSince(before), []);
  });

  it('23: one bad machine does not keep the others out', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes('node-1'));
    service.takeReasons();
    const names = ['node-1', 'node-2', 'node-3', 'node-4', 'node-5'];
    // The machines are listed once; node-4 goes right after that.
    await controller.updateMembers(service, cloud().nodes('node-1'));
    cloud().simulator.state.virtualMachines.update(cloud().machineId('node-4'), { nics: [] });
    await assert.rejects(controller.ensure(service, cloud().nodes(...names)), /node-4/);
    assert.deepEqual(cloud().members(), ['node-1', 'node-2', 'node-3', 'node-5']);
    assert.match(service.takeMessages(), /^MemberRefused: node-4 /);
  });

  it('25: a node that joins is added alone: no machine is assigned twice', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await Promise.all([
      controller.ensure(service, cloud().nodes(...NODES)),
      controller.updateMembers(service, cloud().nodes(...NODES)).catch(() => undefined),
    ]);
    await controller.updateMembers(service, cloud().nodes(...NODES, 'node-4'));
    await controller.ensure(service, cloud().nodes(...NODES, 'node-4'));
    const assigned = cloud()
      .callsSince(0)
      .filter(({ command }) => command === 'assignToLoadBalancerRule')
      .flatMap(({ parameters }) => (parameters['virtualmachineids'] ?? '').split(','));
    assert.deepEqual(assigned.toSorted(), [...NODES, 'node-4'].map((name) => cloud().machineId(name)).toSorted());
    assert.deepEqual(cloud().members(), [...NODES, 'node-4']);
  });

  it('24: a rule whose members could not be added gets them in the next sync, on the same address', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    cloud().fail('assignToLoadBalancerRule', { kind: 'job-fails', code: 530, text: 'Failed to assign' }, 5);
    await assert.rejects(controller.ensure(service, cloud().nodes(...NODES)));
    const [id] = cloud().ruleIds();
    const addresses = cloud().addresses();
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(cloud().ruleIds(), [id]);
    assert.deepEqual(cloud().addresses(), addresses);
    assert.equal(addresses.length, 1);
    assert.deepEqual(cloud().members(), NODES);
  });

  it('70: members of one rule that cannot be read hold up no other rule, and stay', async () => {
    const service = new TestService({ ports: [port('80:31080'), port('443:31443')] });
    await cloud().controller().ensure(service, cloud().nodes('node-1', 'node-2'));
    const broken = cloud().ruleOf(80);
    const failing: Decorator = (next) => async (scope, call) => {
      if (call.command === 'listLoadBalancerRuleInstances' && call.params['id'] === broken?.id)
        throw new Error('CloudStack API error 530: a card is missing');
      return await next(scope, call);
    };
    const controller = cloud().controller({ decorators: [failing] });
    for (const _ of [1, 2]) {
      await assert.rejects(
        controller.ensure(service, cloud().nodes('node-2', 'node-3')),
        new RegExp(`error retrieving members of rule ${LB}-tcp-80: .*a card is missing`),
      );
    }
    const members = cloud()
      .rules()
      .map((rule) => /-tcp-\d+|\[.*\]/g[Symbol.match](rule)?.join(' '));
    assert.deepEqual(members, ['-tcp-443 [node-2,node-3]', '-tcp-80 [node-1,node-2]']);
    assert.deepEqual(cloud().ruleOf(80), broken);
  });

  it('are not taken away when there are no nodes at all', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    await controller.updateMembers(service, []);
    await controller.ensure(service, []);
    assert.deepEqual(cloud().members(), NODES);
  });

  it('are wanted before anything is allocated', async () => {
    const before = cloud().lastWrite;
    const ensured = cloud().controller().ensure(new TestService(), []);
    await assert.rejects(ensured, /There are no available nodes for LoadBalancer/);
    assert.deepEqual(cloud().writesSince(before), []);
  });

  it('change with the nodes, and nothing else does', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes('node-1', 'node-2'));
    service.edit({ ports: [port('80:32000')] });
    const before = cloud().lastWrite;
    await controller.updateMembers(service, cloud().nodes('node-2', 'node-4'));
    assert.deepEqual(cloud().writesSince(before), ['assignToLoadBalancerRule', 'removeFromLoadBalancerRule']);
  });

  it('are those of the nodes that the selector names', async () => {
    const service = new TestService();
    service.annotate({ 'node-selector': 'role=edge' });
    const nodes = NODES.map((name) => node(name, cloud().machineId(name), name === 'node-2' ? { role: 'edge' } : {}));
    await cloud().controller().ensure(service, nodes);
    assert.deepEqual(cloud().members(), ['node-2']);
  });

  it('are not in another network: such a node is skipped and told of', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes('node-1'));
    service.takeReasons();
    await controller.ensure(service, cloud().nodes('node-1', 'elsewhere'));
    assert.match(service.takeMessages(), /^NodeNotMatched: .*elsewhere \(.*network of the load balancer/);
    assert.deepEqual(cloud().members(), ['node-1']);
  });

  it('decide the network of a new load balancer, and must agree on it', async () => {
    const ensured = cloud().controller().ensure(new TestService(), cloud().nodes('node-1', 'elsewhere'));
    await assert.rejects(
      ensured,
      /found hosts that belong to different networks: node-1 → net-iso, elsewhere → other-net/,
    );
    assert.deepEqual(cloud().addresses(), []);
  });

  it('that a restart of the management server left half-assigned are taken out and in again', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    cloud().fail('assignToLoadBalancerRule', { kind: 'job-interrupted' }, 1);
    await assert.rejects(controller.ensure(service, cloud().nodes(...NODES)));
    await controller.ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(cloud().members(), NODES);
    assert.equal([...cloud().simulator.state.loadBalancerRules.values()][0]?.state, 'Active');
  });
});

/** Lets all machines belong to somebody else. @returns what brings them back */
function hideMachines(cloud: Cloud): () => void {
  const { accounts, virtualMachines } = cloud.simulator.state;
  const machines = [...virtualMachines.values()];
  const stranger = accounts.find(({ name }) => name === 'admin');
  for (const { id } of machines) virtualMachines.update(id, { accountId: stranger?.id ?? '' });
  return () => {
    for (const { id, accountId } of machines) virtualMachines.update(id, { accountId });
  };
}
