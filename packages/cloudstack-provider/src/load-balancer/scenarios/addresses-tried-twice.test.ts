import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestService } from '../testing/service.ts';
import { withCloud } from '../testing/with-cloud.ts';

const NODES = ['node-1', 'node-2', 'node-3'];
const UID = '22222222-2222-3333-4444-555555555555';

/** A job that takes an address fails, and another Service takes the same address meanwhile. */
describe('an address that two Services have tried to take', () => {
  const cloud = withCloud({
    scene: (world) => {
      world.zone({ name: 'zone-a', publicRange: ['203.0.113.10', '203.0.113.12'] });
      world.account({ name: 'k8s' });
      world.network({ name: 'net-iso', owner: 'k8s', cidr: '10.1.1.0/24' });
      for (const name of NODES) world.virtualMachine({ name, owner: 'k8s', networks: ['net-iso'] });
    },
  });
  const busy = { kind: 'job-fails', code: 530, text: 'router is busy' } as const;

  async function scene() {
    const process = cloud().controller({ random: () => 0 });
    const [web, api] = [new TestService(), new TestService({ name: 'api', uid: UID })];
    const ensure = (service: TestService) => process.ensure(service, cloud().nodes(...NODES));
    cloud().fail('associateIpAddress', busy, 1);
    await assert.rejects(ensure(web), /router is busy/);
    const [tried] = JSON.stringify(web.view.annotations).match(/203\.0\.113\.\d+/) ?? [];
    assert.ok(tried !== undefined, 'what it is about to take is not noted');
    return { process, web, api, ensure, tried };
  }

  /** The other Service takes it, and gets no further: it bears neither a mark nor a rule. */
  async function takeBare({ api, ensure, tried }: Awaited<ReturnType<typeof scene>>): Promise<void> {
    const { publicIps } = cloud().simulator.state;
    const others = publicIps.filter(({ state, address }) => state === 'Free' && address !== tried);
    for (const { address } of others) await cloud().associateByHand(address);
    for (const command of ['createTags', 'createLoadBalancerRule']) {
      cloud().fail(command, { kind: 'api-error', code: 530, text: 'no' }, 1);
    }
    await assert.rejects(ensure(api), /create rule/);
    assert.ok(cloud().addresses().includes(tried));
  }

  it('belongs to the one that got it', async () => {
    const one = await scene();
    await takeBare(one);
    await assert.rejects(one.ensure(one.web), 'there is no other address');
    assert.deepEqual((await one.ensure(one.api)).ingress, [{ ip: one.tried }]);
    assert.equal(cloud().rules().length, 1);
  });

  it('is not released with the one that did not get it', async () => {
    const one = await scene();
    await takeBare(one);
    await one.process.delete(one.web);
    assert.ok(cloud().addresses().includes(one.tried), 'the address of the other Service was released');
    assert.deepEqual((await one.ensure(one.api)).ingress, [{ ip: one.tried }]);
  });

  it('is not taken by another while there is one that nobody has tried', async () => {
    const { web, api, ensure, tried } = await scene();
    assert.notEqual((await ensure(api)).ingress[0]?.ip, tried);
    assert.equal((await ensure(web)).ingress[0]?.ip, tried);
  });
});
