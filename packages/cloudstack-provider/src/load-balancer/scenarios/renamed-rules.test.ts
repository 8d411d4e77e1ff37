import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Scope } from '@cloudstack-ccm/base';
import { completed } from '@cloudstack-ccm/cloudstack-client';
import { LB, TestService } from '../testing/service.ts';
import { withCloud } from '../testing/with-cloud.ts';

const NODES = ['node-1', 'node-2', 'node-3'];

describe('a rule that somebody has renamed', () => {
  const cloud = withCloud();

  async function renamed(changes: { readonly name: string; readonly description?: string }): Promise<TestService> {
    using scope = Scope.root();
    const service = new TestService();
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    const [id = ''] = cloud().ruleIds();
    await completed(scope, cloud().client.updateLoadBalancerRule(scope, { id, ...changes }));
    return service;
  }

  it('is known by its description, and gets its name back without an interruption', async () => {
    const service = await renamed({ name: 'our shop' });
    const ids = cloud().ruleIds();
    const before = cloud().lastWrite;
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(cloud().writesSince(before), ['updateLoadBalancerRule']);
    assert.deepEqual(cloud().ruleIds(), ids);
    assert.match(cloud().rules()[0] ?? '', new RegExp(`^${LB}-tcp-80 `));
  });

  it('goes with its Service', async () => {
    const service = await renamed({ name: 'our shop' });
    await cloud().controller().delete(service);
    assert.deepEqual([cloud().rules(), cloud().firewall(), cloud().addresses()], [[], [], []]);
  });

  it('is somebody else’s when it only tells of the load balancer', async () => {
    const service = await renamed({ name: 'our shop', description: `Was ${LB}-tcp-80, load balancer ${LB}` });
    const rules = cloud().rules();
    await assert.rejects(
      cloud()
        .controller()
        .ensure(service, cloud().nodes(...NODES)),
      /conflicts/,
    );
    await cloud().controller().delete(service);
    assert.deepEqual(cloud().rules(), rules);
  });
});
