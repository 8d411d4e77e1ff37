import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { systemClock } from '@cloudstack-ccm/base';
import type { Controller } from '../testing/cloud.ts';
import { TestService } from '../testing/service.ts';
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
