import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Gate } from './world/gate.ts';
import { scenario } from './world/scenario.ts';
import { expose, initialise, WEB } from './world/steps.ts';
import { stays, waitFor } from './world/wait-for.ts';
import type { World } from './world/world.ts';

// A fifth of the usual times: the order of events is the same.
const TIMES = [
  '--leader-elect=true',
  '--leader-elect-lease-duration=3s',
  '--leader-elect-renew-deadline=2s',
  '--leader-elect-retry-period=400ms',
];

const ASSOCIATED = 'service.beta.kubernetes.io/cloudstack-load-balancer-ip-associated-by-controller';

scenario('a leader that loses the API server stops writing, ends, and a new one goes on (case 71)', async (world) => {
  const { gate, kubeconfig } = await gatedKubeconfig(world);
  try {
    const first = await world.startController({ flags: TIMES, kubeconfig });
    await initialise(world);
    const { address } = await expose(world);
    await world.createService({ ...WEB, name: 'later' });
    await waitFor('the sync of another Service is on its way', async () => {
      assert.equal((await world.service('later')).annotations[ASSOCIATED], 'true');
    });
    // What it waits for now takes longer than the lease lasts.
    const action = { kind: 'latency', ms: 4000 } as const;
    world.cloud.simulator.faults.add({ command: 'queryAsyncJobResult', count: 2, action });
    first.mayEnd();
    await gate.close();
    await first.ended;
    const writes = world.cloud.writes().length;
    await stays('nobody writes', () => assert.equal(world.cloud.writes().length, writes), 2000);
    assert.deepEqual((await world.service('web')).ingress, [address]);

    await gate.open();
    await world.startController({ flags: TIMES, kubeconfig });
    await waitFor('work goes on', async () => assert.equal((await world.service('later')).ingress.length, 1), 45_000);
    assert.equal(world.cloud.addresses().length, 2, 'an address was taken twice');
    assert.equal(world.cloud.rules().length, 4, 'a rule was made twice');
  } finally {
    await gate.close();
  }
});

/** A way to the API server for the controller alone, which can be cut. */
async function gatedKubeconfig(world: World): Promise<{ readonly gate: Gate; readonly kubeconfig: string }> {
  const text = readFileSync(world.cluster.controllerKubeconfig, 'utf8');
  const port = /https:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1];
  assert.ok(port, 'the API server is not on the loopback address');
  const gate = await Gate.before(Number(port));
  return { gate, kubeconfig: world.writeCloudConfig(text.replaceAll(`:${port}`, `:${gate.port}`), 'gated-kubeconfig') };
}
