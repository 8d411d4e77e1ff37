import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { World } from '@cloudstack-ccm/cloudstack-simulator';
import { isolatedScene } from '../testing/cloud.ts';
import { LB, port, TestService } from '../testing/service.ts';
import { hands, withCloud } from '../testing/with-cloud.ts';

/** Numbers are those of the list of cases from the field. */
describe('8: a server that lists one object a page', () => {
  const cloud = withCloud({
    scene: (world) => {
      world.zone({ name: 'zone-a', publicRange: ['203.0.113.10', '203.0.113.90'] });
      world.account({ name: 'k8s' });
      world.network({ name: 'net-iso', owner: 'k8s', cidr: '10.1.1.0/24' });
      const named = new Map([
        [12, 'node-1'],
        [27, 'node-2'],
        [40, 'node-3'],
      ]);
      for (let n = 1; n <= 40; n++)
        world.virtualMachine({ name: named.get(n) ?? `other-${n}`, owner: 'k8s', networks: ['net-iso'] });
      const { settings } = world.backend.state;
      world.backend.state.settings = { ...settings, defaultPageSize: 1, maxAccountPublicIps: -1 };
    },
  });
  const { ensure } = hands(cloud);

  it('is read completely: members, old rules and their openings are found', async () => {
    const service = new TestService();
    const { ingress } = await ensure(service);
    const [{ ip = '' } = {}] = ingress;
    for (let n = 0; n < 25; n++)
      await cloud().handMade(`x${n}-tcp-80`, { port: 1000 + n, address: ip, firewall: n < 3 });
    assert.equal(cloud().firewall().length, 4);
    const before = cloud().lastCall;
    service.edit({ ports: [port('8080:31080')] });
    await ensure(service);
    const rules = cloud()
      .rules()
      .filter((rule) => rule.startsWith(LB));
    assert.deepEqual(rules, [`${LB}-tcp-8080 ${ip}:8080 → 31080 tcp roundrobin [node-1,node-2,node-3] (0.0.0.0/0)`]);
    assert.equal(cloud().rules().length, 26);
    assert.deepEqual(
      cloud()
        .firewall()
        .map((opening) => opening.split(' ')[2]),
      ['1000-1000', '1001-1001', '1002-1002', '8080-8080'],
    );
    const pages = new Map<string, string[]>();
    for (const { command, parameters, outcome } of cloud().callsSince(before)) {
      const { page, pagesize } = parameters;
      if (pagesize === undefined || outcome.errorText !== undefined) continue;
      assert.equal(pagesize, '1', command);
      pages.set(command, [...(pages.get(command) ?? []), page ?? '']);
    }
    for (const [command, [first]] of pages) assert.equal(first, '1', command);
    assert.equal(pages.get('listVirtualMachines')?.at(-1), '40');
  });
});

for (const domain of ['ROOT', 'ROOT/elsewhere']) {
  describe(`a key of another account in domain ${domain}`, () => {
    const cloud = withCloud({
      scene: (world) => {
        isolatedScene(world);
        if (domain !== 'ROOT') world.domain({ name: 'elsewhere' });
        world.account({ name: 'other', domain });
        world.network({ name: 'their-net', owner: 'other', cidr: '10.8.1.0/24' });
        world.virtualMachine({ name: 'node-3', owner: 'other', networks: ['their-net'] });
      },
    });
    const { nodes, ensure } = hands(cloud);

    it('73: finds no machine, writes nothing, and says what to check', async () => {
      const service = new TestService();
      await ensure(service);
      const [rules, writes] = [cloud().rules(), cloud().lastWrite];
      const stranger = cloud().controller({ account: 'other' });
      const words =
        /none of the hosts matched the list of VMs retrieved from CS API: .*check project-id and the account/s;
      await assert.rejects(stranger.ensure(service, nodes()), words);
      await assert.rejects(stranger.ensure(new TestService({ uid: 'new-one' }), nodes()), words);
      await stranger.updateMembers(service, nodes());
      assert.deepEqual(cloud().writesSince(writes), []);
      assert.deepEqual(cloud().rules(), rules);
    });

    it('73: gives no address back that it does not see', async () => {
      const service = new TestService();
      await ensure(service);
      const writes = cloud().lastWrite;
      await cloud()
        .controller({ account: 'other' })
        .delete(service)
        .catch(() => undefined);
      assert.deepEqual(cloud().writesSince(writes), []);
    });
  });
}

describe('69: a project', () => {
  const cloud = withCloud({ scene: withProjects });
  const { nodes } = hands(cloud);

  it('in which no machine is seen is named, with the nodes and what to check', async () => {
    const service = new TestService();
    const projectId = cloud().simulator.state.projects.find(({ name }) => name === 'empty')?.id ?? '';
    await assert.rejects(
      cloud().controller({ project: 'empty' }).ensure(service, nodes()),
      /none of the hosts matched/,
    );
    const told = service.takeMessages();
    for (const words of ['node-1', 'node-2', 'node-3', projectId, 'check project and account'])
      assert.ok(told.includes(words), `${told} does not tell ${words}`);
    assert.deepEqual(cloud().writesSince(0), []);
  });

  it('that the account is no member of is named, and nothing is written', async () => {
    const service = new TestService();
    const projectId = cloud().simulator.state.projects.find(({ name }) => name === 'theirs')?.id ?? '';
    const controller = cloud().controller({ project: 'theirs' });
    await assert.rejects(controller.ensure(service, nodes()), new RegExp(`432.*in project \\[${projectId}\\]`));
    assert.deepEqual(cloud().writesSince(0), []);
  });
});

function withProjects(world: World): void {
  isolatedScene(world);
  world.account({ name: 'other' });
  world.project({ name: 'empty', owner: 'k8s' });
  world.project({ name: 'theirs', owner: 'other' });
}
