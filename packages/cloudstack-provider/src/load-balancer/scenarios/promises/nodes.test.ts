import assert from 'node:assert/strict';
import { node } from '../../testing/cloud.ts';
import { everywhere } from '../../testing/promises.ts';
import { TestService } from '../../testing/service.ts';

/** Commands that know their object by its id, and take no project. */
const BY_ID = new Set(['listLoadBalancerRuleInstances', 'listLBStickinessPolicies']);

everywhere({
  'R8, R13: an ordinary user is enough, and everything is asked for in the project of the nodes': async (at) => {
    const service = new TestService();
    const before = at.cloud.lastCall;
    await at.ensure(service);
    await at.delete(service);
    const calls = at.cloud.callsSince(before);
    const projectId = at.cloud.simulator.state.projects.find(({ name }) => name === at.place.project)?.id;
    for (const { command, parameters, outcome } of calls) {
      assert.equal(outcome.errorText, undefined, command);
      const takesProject = /^(list|associate)/.test(command) && !BY_ID.has(command);
      if (takesProject) assert.equal(parameters['projectid'], projectId, command);
    }
    assert.ok(calls.length > 5);
    assert.deepEqual(at.left, [[], [], []]);
  },

  'R70: a network that cannot be read is told with what to check, and nothing is written': async (at) => {
    const { state } = at.cloud.simulator;
    const service = new TestService();
    const stranger = state.accounts.find(({ name }) => name === 'admin');
    state.networks.update(at.network.id, { accountId: stranger?.id ?? '' });
    await assert.rejects(at.ensure(service), /could not find network .*check project-id and the account/);
    assert.match(service.takeMessages(), /^NodeNotMatched: could not find network/m);
    assert.deepEqual(at.cloud.writesSince(0), []);
  },

  'R71: without a node nothing is taken, and the reason is told': async (at) => {
    await assert.rejects(at.ensure(new TestService(), []), /There are no available nodes for LoadBalancer/);
    assert.deepEqual(at.cloud.writesSince(0), []);
  },

  'R151: nodes without machines are named, and nothing is written': async (at) => {
    const service = new TestService();
    const lost = [node('ghost-1', undefined), node('ghost-2', undefined)];
    await assert.rejects(
      at.ensure(service, lost),
      /none of the hosts matched the list of VMs retrieved from CS API: .*ghost-1.*ghost-2/,
    );
    assert.match(service.takeMessages(), /^NodeNotMatched: none of the hosts matched .*ghost-1.*ghost-2/);
    assert.deepEqual(at.cloud.writesSince(0), []);
  },

  'R57, R135, R152: nodes are found by provider ID or by name, and must share a network': async (at) => {
    const { state } = at.cloud.simulator;
    const byName = at.nodes.map(({ name }) => node(name.toUpperCase(), undefined));
    const service = new TestService();
    await at.ensure(service, byName);
    assert.deepEqual(at.cloud.members(), ['node-1', 'node-2', 'node-3']);
    await at.delete(service);
    const elsewhere = { ...at.network, id: 'elsewhere', name: 'other-net' };
    state.networks.add(elsewhere);
    const machine = state.virtualMachines.get(at.cloud.machineId('node-3'));
    assert.ok(machine);
    const nics = machine.nics.map((nic) => ({ ...nic, networkId: elsewhere.id }));
    state.virtualMachines.update(machine.id, { nics });
    await assert.rejects(
      at.ensure(new TestService()),
      /found hosts that belong to different networks: .*node-3 → other-net/,
    );
    assert.deepEqual(at.left, [[], [], []]);
  },
});
