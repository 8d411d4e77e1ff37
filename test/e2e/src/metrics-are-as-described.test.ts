import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scenario } from './world/scenario.ts';
import { expose, initialise } from './world/steps.ts';

const PAGE = join(import.meta.dirname, '../../../docs/reference/metrics.md');

/** Those of this controller; the Go framework has given names to the others. */
const OWN = /^(cloudstack_|node_lifecycle_controller_)/;

scenario(
  'the reference page names every metric of this controller, and no other',
  async (world) => {
    const controller = await world.startController();
    await initialise(world);
    await expose(world);
    const { body } = await controller.probe('/metrics', world.cluster.adminToken);
    const shown = [...body.matchAll(/^# TYPE (\S+) /gm)].flatMap(([, name = '']) => (OWN.test(name) ? [name] : []));
    const page = readFileSync(PAGE, 'utf8');
    const described = [...page.matchAll(/^\| `(\w+)` /gm)].map(([, name = '']) => name);
    assert.deepEqual(shown.sort(), described.sort());
    for (const name of body.matchAll(/^# TYPE ((node|service)_controller_\S+) /gm)) {
      assert.ok(page.includes(`\`${name[1]}\``), `${name[1]} is not described`);
    }
  },
  { clusters: ['kubernetes-simulator'] },
);
