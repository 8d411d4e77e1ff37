import assert from 'node:assert/strict';
import { initialise } from './world/steps.ts';
import { scenario } from './world/scenario.ts';
import { waitFor } from './world/wait-for.ts';

const FLAGS = ['--node-status-update-frequency=500ms'];
const TYPE = 'node.kubernetes.io/instance-type';

scenario('labels follow a resize, a migration and tags, and leave what users wrote alone', async (world) => {
  const config = `${world.cloud.config()}node-tag-label-prefixes = example.org/\nnode-affinity-group-label = true\n`;
  await world.startController({ flags: FLAGS, cloudConfig: world.writeCloudConfig(config) });
  const untag = world.cloud.tag('node-1', 'example.org/rack', 'Row 3/R7');
  await initialise(world, ['node-1', 'node-2']);
  assert.equal((await world.node('node-1')).labels['example.org/rack'], 'Row_3_R7');

  world.cloud.change('node-1', { affinityGroups: [{ id: 'group-1', name: 'spread' }] });
  world.cloud.resize('node-1', 'Small Instance');
  world.cloud.resize('node-2', 'Small Instance');
  const own = { 'beta.kubernetes.io/instance-type': 'mine', [TYPE]: 'mine' };
  await world.client.patch('/api/v1/nodes/node-2', { metadata: { labels: own } });
  await waitFor('the labels are those of the resized machine', async () => {
    const { labels } = await world.node('node-1');
    assert.equal(labels[TYPE], 'SmallInstance');
    assert.equal(labels['beta.kubernetes.io/instance-type'], 'SmallInstance');
    assert.equal(labels['topology.cloudstack.apache.org/affinity-group'], 'spread');
  });
  untag();
  await waitFor('the label of the tag is gone', async () => {
    assert.equal((await world.node('node-1')).labels['example.org/rack'], undefined);
  });
  assert.equal((await world.node('node-2')).labels[TYPE], 'mine', 'the value of the user was replaced');

  const before = (await world.nodes()).map(({ resourceVersion }) => resourceVersion);
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const after = (await world.nodes()).map(({ resourceVersion }) => resourceVersion);
  assert.deepEqual(after, before, 'a node was written though nothing changed');
});
