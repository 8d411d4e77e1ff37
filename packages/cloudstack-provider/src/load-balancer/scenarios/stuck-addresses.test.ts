import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { systemClock } from '@cloudstack-ccm/base';
import type { Controller } from '../testing/cloud.ts';
import { port, TestService } from '../testing/service.ts';
import { withCloud } from '../testing/with-cloud.ts';

const NODES = ['node-1', 'node-2', 'node-3'];

/** As a restart of the management server in the middle of the job leaves it. */
describe('an address that hangs while it is taken', () => {
  const cloud = withCloud();
  let now = 0;
  beforeEach(() => {
    now = 0;
    cloud().fail('associateIpAddress', { kind: 'job-interrupted' }, 1);
  });

  function controller(): Controller {
    return cloud().controller({ clock: { ...systemClock, monotonic: () => now } });
  }

  const states = () =>
    [...cloud().simulator.state.publicIps.values()]
      .filter(({ state, isSourceNat }) => state !== 'Free' && !isSourceNat)
      .map(({ state }) => state);

  it('is given back after a while, and another one is taken', async () => {
    const service = new TestService();
    const process = controller();
    const ensure = () => process.ensure(service, cloud().nodes(...NODES));
    await assert.rejects(ensure());
    assert.deepEqual(states(), ['Allocating']);
    await assert.rejects(ensure(), /is in state Allocating$/);
    now += 29_999;
    await assert.rejects(ensure(), /is in state Allocating$/);
    now += 1;
    await assert.rejects(ensure(), /given back/);
    assert.deepEqual(states(), []);
    await ensure();
    assert.deepEqual(states(), ['Allocated']);
  });

  it('does not keep its Service from going', async () => {
    const service = new TestService();
    const process = controller();
    await assert.rejects(process.ensure(service, cloud().nodes(...NODES)));
    await assert.rejects(process.delete(service), /is in state Allocating$/);
    now += 30_000;
    await assert.rejects(process.delete(service), /given back/);
    await process.delete(service);
    assert.deepEqual(states(), []);
    assert.equal(service.annotation('ip-associated-by-controller'), undefined);
  });

  for (const state of ['Allocating', 'Releasing'] as const) {
    it(`is given back in state ${state} when its Service goes, and that is told`, async () => {
      cloud().simulator.faults.clear();
      const service = new TestService();
      const process = controller();
      await process.ensure(service, cloud().nodes(...NODES));
      const { publicIps } = cloud().simulator.state;
      for (const { id } of publicIps.filter((ip) => ip.state === 'Allocated' && !ip.isSourceNat))
        publicIps.update(id, { state });
      await assert.rejects(process.delete(service), /is being changed/);
      service.takeReasons();
      now += 30_000;
      await process.delete(service);
      assert.deepEqual(states(), []);
      assert.match(service.takeMessages(), new RegExp(`AddressReleased: .* hung in state ${state}`));
    });
  }

  for (const state of ['Allocating', 'Releasing'] as const) {
    it(`serves on in state ${state} with the rules it has, and takes new ones when that is over`, async () => {
      cloud().simulator.faults.clear();
      const service = new TestService();
      const process = controller();
      const ensure = (...nodes: readonly string[]) => process.ensure(service, cloud().nodes(...nodes));
      await ensure('node-1', 'node-2');
      const { publicIps } = cloud().simulator.state;
      const { id, address } = publicIps.find((ip) => ip.state === 'Allocated' && !ip.isSourceNat) ?? {};
      assert.ok(id !== undefined && address !== undefined);
      publicIps.update(id, { state });
      service.takeReasons();
      await assert.rejects(ensure(...NODES), new RegExp(`public IP ${address} is in state ${state}`));
      assert.deepEqual(cloud().members(), NODES);
      assert.deepEqual(service.takeReasons(), ['AddressChanging']);

      service.edit({ ports: [port('80:31080'), port('443')], sessionAffinity: 'ClientIP' });
      const [written, rules] = [cloud().lastWrite, cloud().rules()];
      await assert.rejects(ensure(...NODES));
      assert.deepEqual(cloud().writesSince(written), ['updateLoadBalancerRule'], 'what is possible is done');
      now += 3_600_000;
      const then = cloud().lastWrite;
      await assert.rejects(ensure(...NODES));
      assert.equal(cloud().lastWrite, then, 'what is refused is not tried');
      assert.equal(cloud().rules().length, rules.length);

      publicIps.update(id, { state: 'Allocated' });
      assert.equal((await ensure(...NODES)).ingress[0]?.ip, address);
      assert.equal(cloud().rules().length, 2);
      assert.equal(cloud().firewall().length, 2);
      assert.deepEqual(states(), ['Allocated'], 'no second address is taken');
    });
  }

  for (const lasting of [false, true]) {
    it(`is left for the one that its user asks for instead, ${lasting ? 'and given back' : 'when it has settled'}`, async () => {
      cloud().simulator.faults.clear();
      const service = new TestService();
      const process = controller();
      const ensure = () => process.ensure(service, cloud().nodes(...NODES));
      const former = (await ensure()).ingress[0]?.ip ?? '';
      const { publicIps } = cloud().simulator.state;
      publicIps.update(cloud().addressId(former), { state: 'Releasing' });
      service.edit({ loadBalancerIp: '203.0.113.30' });
      await assert.rejects(ensure(), new RegExp(`${former} .*being changed`));
      assert.equal(cloud().rules().length, 2, 'both addresses serve');
      if (lasting) now += 30_000;
      else publicIps.update(cloud().addressId(former), { state: 'Allocated' });
      await ensure().catch(() => ensure());
      assert.deepEqual((await ensure()).ingress, [{ ip: '203.0.113.30' }]);
      assert.equal(cloud().rules().length, 1);
      assert.equal(cloud().firewall().length, 1);
      assert.deepEqual(cloud().addresses(), ['203.0.113.30'], 'the former address is lost');
    });
  }

  it('is given back and taken again when it was in use, and has lost its rules', async () => {
    cloud().simulator.faults.clear();
    const service = new TestService();
    const process = controller();
    const ensure = () => process.ensure(service, cloud().nodes(...NODES));
    await ensure();
    const { publicIps, loadBalancerRules } = cloud().simulator.state;
    for (const { id } of loadBalancerRules.filter(() => true)) loadBalancerRules.delete(id);
    const address = publicIps.find((ip) => ip.state === 'Allocated' && !ip.isSourceNat);
    publicIps.update(address?.id ?? '', { state: 'Releasing' });
    await assert.rejects(ensure(), /is in state Releasing$/);
    now += 30_000;
    await assert.rejects(ensure(), /given back/);
    await ensure();
    assert.equal(publicIps.get(address?.id ?? '')?.state, 'Allocated');
    assert.deepEqual(states(), ['Allocated']);
    assert.deepEqual(cloud().members(), NODES);
  });
});
