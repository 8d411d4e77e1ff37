import assert from 'node:assert/strict';
import { itemsOf, serviceState } from './world/objects.ts';
import { scenario } from './world/scenario.ts';
import { initialise } from './world/steps.ts';
import { waitFor } from './world/wait-for.ts';
import type { World } from './world/world.ts';

const COUNT = 200;
const NAMES = Array.from({ length: COUNT }, (_, index) => `web-${index}`);
/** The work is to end soon. */
const UNLIMITED = 'rate-limit = 0\n';
const RELOADED = /Took a changed cloud-config into use/;

scenario(
  'keys that are replaced while 200 Services are worked on lose no sync and make no error event (case 6)',
  async (world) => {
    const { simulator } = world.cloud;
    simulator.conditions.configure({ maxAccountPublicIps: COUNT + 10 });
    const cloudConfig = world.writeCloudConfig(world.cloud.config() + UNLIMITED);
    const controller = await world.startController({
      cloudConfig,
      flags: ['--kube-api-qps=200', '--kube-api-burst=200'],
    });
    await initialise(world);
    // Slow enough that the work lasts for longer than a changed file stays unnoticed.
    simulator.faults.add({ action: { kind: 'latency', ms: 50 } });
    for (const name of NAMES) await world.createService({ name, ports: [{ name: 'http', port: 80 }] });
    world.writeCloudConfig(world.cloud.secondConfig() + UNLIMITED);
    await waitFor('the new keys are in use', () => assert.match(controller.output, RELOADED));
    const doneBefore = await served(world);
    simulator.faults.clear();
    assert.ok(doneBefore < COUNT, 'all was done before the keys were replaced');
    await waitFor('every Service has an address', async () => assert.equal(await served(world), COUNT), 90_000);
    const warnings = (await world.events()).filter(({ type }) => type === 'Warning');
    // kube-apiserver's own, when its repair meets a Service that is being made.
    const ours = warnings.filter(({ reason }) => !reason.startsWith('ClusterIP'));
    assert.deepEqual(ours, []);
    assert.equal(world.cloud.rules().length, COUNT);
    assert.equal(world.cloud.addresses().length, COUNT, 'an address was taken twice');
    const metrics = await controller.probe('/metrics', world.cluster.adminToken);
    assert.match(metrics.body, /^cloudstack_ccm_config_reloads_total\{result="success"\} 1$/m);
  },
  { clusters: ['kube-apiserver'] },
);

async function served(world: World): Promise<number> {
  const services = itemsOf(await world.client.get('/api/v1/namespaces/default/services')).map(serviceState);
  return services.filter(({ ingress }) => ingress.length > 0).length;
}
