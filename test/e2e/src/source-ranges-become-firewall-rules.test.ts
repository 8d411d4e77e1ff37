import assert from 'node:assert/strict';
import { scenario } from './world/scenario.ts';
import { expose, initialise, WEB } from './world/steps.ts';
import { waitFor } from './world/wait-for.ts';

scenario(
  'source ranges of a Service decide who may reach its ports, from the start and when they change',
  async (world) => {
    await world.startController();
    await initialise(world);
    const { address } = await expose(world, { ...WEB, sourceRanges: ['192.0.2.0/24', '198.51.100.0/24'] });
    const allowed = (sources: string): string[] => [
      `${address} tcp 443-443 ${sources}`,
      `${address} tcp 80-80 ${sources}`,
    ];
    assert.deepEqual(world.cloud.firewall(), allowed('192.0.2.0/24,198.51.100.0/24'));
    const rules = world.cloud.rules();

    await world.patchService('web', { spec: { loadBalancerSourceRanges: ['203.0.113.0/24'] } });
    await waitFor('only the new range may', () => assert.deepEqual(world.cloud.firewall(), allowed('203.0.113.0/24')));

    await world.patchService('web', { spec: { loadBalancerSourceRanges: null } });
    await waitFor('everybody may', () => assert.deepEqual(world.cloud.firewall(), allowed('0.0.0.0/0')));

    assert.deepEqual(world.cloud.rules(), rules, 'the rules changed with the firewall');
  },
);
