import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { World } from '@cloudstack-ccm/cloudstack-simulator';
import { isolatedScene, projectScene, type Cloud } from '../testing/cloud.ts';
import { LB, port, TestService } from '../testing/service.ts';
import { withCloud } from '../testing/with-cloud.ts';

const NODES = ['node-1', 'node-2', 'node-3'];

/** Numbers are those of the list of cases from the field. */
for (const version of ['4.14', '4.18', '4.20', '4.22', '4.23']) {
  describe(`a load balancer that is as it should be, on CloudStack ${version}`, () => {
    const cloud = withCloud({ version });

    it('33: is not written to, however the server words its lists and whatever order they have', async () => {
      const service = new TestService({ ports: [port('80:31080'), port('443:31443')] });
      await cloud()
        .controller()
        .ensure(service, cloud().nodes(...NODES));
      reword(cloud());
      const before = cloud().lastWrite;
      for (const _ of [1, 2, 3]) {
        await cloud()
          .controller()
          .ensure(service, cloud().nodes(...NODES.toReversed()));
        await cloud()
          .controller()
          .updateMembers(service, cloud().nodes(...NODES.toReversed()));
      }
      assert.deepEqual(cloud().writesSince(before), []);
    });

    it('67: shows its host name by whichever way the status is asked for', async () => {
      const service = new TestService();
      service.annotate({ hostname: 'lb.example.com' });
      const status = await cloud()
        .controller()
        .ensure(service, cloud().nodes(...NODES));
      assert.deepEqual(status, { ingress: [{ hostname: 'lb.example.com' }] });
      assert.deepEqual(await cloud().controller().get(service), status);
    });
  });
}

/** The same in other words. */
function reword(cloud: Cloud): void {
  const { loadBalancerRules } = cloud.simulator.state;
  for (const { id, algorithm, members } of loadBalancerRules.values()) {
    loadBalancerRules.update(id, { algorithm: algorithm.toUpperCase(), members: members.toReversed() });
  }
}

describe('tags of rules that were deleted long ago (4.20)', () => {
  const cloud = withCloud({ version: '4.20' });

  it('53: make no object ours, and keep nobody from an address or from giving it back', async () => {
    const stranger = await cloud().handMade('strange', { port: 9000, address: '203.0.113.33' });
    const former = new TestService({ uid: '99999999-2222-3333-4444-555555555555', loadBalancerIp: '203.0.113.34' });
    await cloud()
      .controller()
      .ensure(former, cloud().nodes(...NODES));
    const { state } = cloud().simulator;
    const [mark] = [...state.tags.values()];
    assert.ok(mark, 'the address has no mark');
    const gone = cloud()
      .ruleIds()
      .find((id) => id !== stranger.ruleId);
    await cloud().controller().delete(former);
    const service = new TestService({ loadBalancerIp: '203.0.113.34' });
    for (const key of new Set([mark.key, 'kubernetes-service-uid'])) {
      const stale = { ...mark, key, resourceType: 'LoadBalancer' as const, resourceId: gone ?? '' };
      state.tags.add({ ...stale, id: `stale-${key}`, value: service.view.uid });
    }
    const controller = cloud().controller();
    assert.equal(await controller.get(service), undefined, 'something was taken for existing because of a tag');
    await controller.ensure(service, cloud().nodes(...NODES));
    assert.equal(service.annotation('ip-associated-by-controller'), 'true');
    assert.match(cloud().rules().join(), /203\.0\.113\.34:80 /);
    await controller.delete(service);
    assert.deepEqual(cloud().addresses(), [stranger.address]);
    assert.deepEqual(cloud().ruleIds(), [stranger.ruleId]);
  });
});

for (const [what, scene, rightly, wrongly] of [
  ['is left out of cloud-config', projectScene, 'team', undefined],
  ['is added to cloud-config', withEmptyProject, undefined, 'team'],
] as const) {
  describe(`a project-id that ${what}`, () => {
    const cloud = withCloud({ scene, ...(rightly && { project: rightly }) });

    it('74: changes nothing and is named in an event, and all goes on when that is mended', async () => {
      const service = new TestService();
      const nodes = cloud().nodes(...NODES);
      await cloud().controller().ensure(service, nodes);
      const [rules, addresses, before] = [cloud().rules(), cloud().addresses(), cloud().lastWrite];
      service.takeReasons();
      service.edit({ ports: [port('8080:31080')] });
      const misled = cloud().controller({ project: wrongly });
      const setting = wrongly === undefined ? 'no project-id is set' : /project-id is [0-9a-f-]{36}/.source;
      const words = new RegExp(`none of the hosts matched the list of VMs retrieved from CS API: ${setting}; .*node-1`);
      await assert.rejects(misled.ensure(service, nodes), words);
      await misled.updateMembers(service, nodes).catch(() => undefined);
      assert.match(service.takeMessages(), words);
      assert.deepEqual([cloud().rules(), cloud().addresses(), cloud().writesSince(before)], [rules, addresses, []]);

      await cloud().controller().ensure(service, nodes);
      assert.match(cloud().rules().join(), new RegExp(`^${LB}-tcp-8080 ${addresses[0]}:8080 .*\\[${NODES.join()}\\]`));
      assert.deepEqual(cloud().addresses(), addresses);
      await cloud().controller().delete(service);
      assert.deepEqual([cloud().rules(), cloud().firewall(), cloud().addresses()], [[], [], []]);
    });
  });
}

function withEmptyProject(world: World): void {
  isolatedScene(world);
  world.project({ name: 'team', owner: 'k8s' });
}
