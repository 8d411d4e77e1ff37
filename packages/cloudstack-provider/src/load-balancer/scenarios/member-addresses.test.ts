import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { World } from '@cloudstack-ccm/cloudstack-simulator';
import { isolatedScene, type Cloud } from '../testing/cloud.ts';
import { port, TestService } from '../testing/service.ts';
import { withCloud } from '../testing/with-cloud.ts';

const NODES = ['node-1', 'node-2', 'node-3'];

/** Each machine has a second network card, and two secondary addresses on its first. */
function scene(world: World): void {
  isolatedScene(world);
  world.network({ name: 'net-data', owner: 'k8s', cidr: '10.7.1.0/24' });
  for (const name of NODES)
    world.virtualMachine({ name: `${name}-b`, owner: 'k8s', networks: ['net-iso', 'net-data'] });
}

/** Gives the card in `net-iso` of each machine a secondary address `10.1.1.20<n>`. */
function addSecondary(cloud: Cloud): void {
  const { virtualMachines } = cloud.simulator.state;
  NODES.forEach((name, index) => {
    const vm = virtualMachines.get(cloud.machineId(name));
    const secondaryIps = [{ id: `secondary-${index}`, address: `10.1.1.20${index + 1}` }];
    if (vm) virtualMachines.update(vm.id, { nics: vm.nics.map((nic) => ({ ...nic, secondaryIps })) });
  });
}

/** Of each rule, `port: addresses`. */
function targets(cloud: Cloud): readonly string[] {
  const rules = [...cloud.simulator.state.loadBalancerRules.values()];
  return rules.map(
    ({ publicPort, members }) =>
      `${publicPort}: ${members
        .map(({ address }) => address)
        .sort()
        .join()}`,
  );
}

const SECONDARY = '10.1.1.201,10.1.1.202,10.1.1.203';

describe('members at addresses that the Service chooses', () => {
  const cloud = withCloud({ scene });
  const nodes = () => cloud().nodes(...NODES);
  const usual = () =>
    NODES.map((name) => cloud().simulator.state.virtualMachines.get(cloud().machineId(name))?.nics[0]?.ipAddress ?? '')
      .sort()
      .join();

  it('begin there, and nothing is written when nothing has changed', async () => {
    addSecondary(cloud());
    const service = new TestService();
    service.annotate({ 'member-addresses': '10.1.1.200/29' });
    await cloud().controller().ensure(service, nodes());
    assert.deepEqual(targets(cloud()), [`80: ${SECONDARY}`]);
    const before = cloud().lastWrite;
    await cloud().controller().ensure(service, nodes());
    await cloud().controller().updateMembers(service, nodes());
    assert.deepEqual(cloud().writesSince(before), []);
  });

  it('move there and back, added before they are removed', async () => {
    addSecondary(cloud());
    const service = new TestService();
    await cloud().controller().ensure(service, nodes());
    assert.deepEqual(targets(cloud()), [`80: ${usual()}`]);
    for (const [ranges, expected] of [
      ['10.1.1.200/29', SECONDARY],
      [null, usual()],
    ] as const) {
      const before = cloud().lastWrite;
      service.annotate({ 'member-addresses': ranges });
      await cloud().controller().ensure(service, nodes());
      assert.deepEqual(targets(cloud()), [`80: ${expected}`]);
      assert.deepEqual(cloud().writesSince(before), ['assignToLoadBalancerRule', 'removeFromLoadBalancerRule']);
    }
  });

  it('stay there when a rule is made anew, and when nodes go', async () => {
    addSecondary(cloud());
    const service = new TestService();
    service.annotate({ 'member-addresses': '10.1.1.200/29' });
    await cloud().controller().ensure(service, nodes());
    service.edit({ ports: [port('80:32000')] });
    await cloud().controller().ensure(service, nodes());
    assert.deepEqual(targets(cloud()), [`80: ${SECONDARY}`]);
    await cloud().controller().updateMembers(service, cloud().nodes('node-1', 'node-3'));
    assert.deepEqual(targets(cloud()), ['80: 10.1.1.201,10.1.1.203']);
  });

  it('lose an address that somebody added by hand', async () => {
    addSecondary(cloud());
    const service = new TestService();
    await cloud().controller().ensure(service, nodes());
    const { loadBalancerRules } = cloud().simulator.state;
    for (const { id, members } of loadBalancerRules.values()) {
      const extra = { virtualMachineId: cloud().machineId('node-1'), address: '10.1.1.201', revoked: false };
      loadBalancerRules.update(id, { members: [...members, extra] });
    }
    await cloud().controller().ensure(service, nodes());
    assert.deepEqual(targets(cloud()), [`80: ${usual()}`]);
  });

  it('skip a node that has no such address, which is told', async () => {
    addSecondary(cloud());
    const service = new TestService();
    service.annotate({ 'member-addresses': '10.1.1.201/32, 10.1.1.202/32' });
    await cloud().controller().ensure(service, nodes());
    assert.deepEqual(targets(cloud()), ['80: 10.1.1.201,10.1.1.202']);
    assert.match(
      service.takeMessages(),
      /node-3 \(.* has no address of 10\.1\.1\.201\/32, 10\.1\.1\.202\/32 in the network/,
    );
  });

  it('may be those of a network card that is not the default one', async () => {
    const service = new TestService();
    service.annotate({ 'member-addresses': '10.7.0.0/16' });
    const both = cloud().nodes(...NODES.map((name) => `${name}-b`));
    await cloud().controller().ensure(service, both);
    assert.match(targets(cloud()).join(), /^80: 10\.7\.1\.\d+,10\.7\.1\.\d+,10\.7\.1\.\d+$/);
    const [rule] = [...cloud().simulator.state.loadBalancerRules.values()];
    assert.equal(rule?.networkId, cloud().networkId('net-data'));
    await cloud().controller().delete(service);
    assert.deepEqual([cloud().rules(), cloud().firewall(), cloud().addresses()], [[], [], []]);
  });

  it('that nobody has leave the cloud untouched', async () => {
    const service = new TestService();
    service.annotate({ 'member-addresses': '192.0.2.0/24' });
    const before = cloud().lastWrite;
    await assert.rejects(cloud().controller().ensure(service, nodes()), /has an address of 192\.0\.2\.0\/24/);
    assert.deepEqual(cloud().writesSince(before), []);
  });
});
