import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { node } from '../testing/cloud.ts';
import { TestService } from '../testing/service.ts';
import { withCloud } from '../testing/with-cloud.ts';

const late = (name: string) => node(name, '00000000-0000-4000-8000-000000000000');
const joining = (name: string) => ({ ...node(name, undefined), uninitialized: true });
const foreign = (name: string) => ({ ...node(name, undefined), providerId: 'kind://docker/kind/worker' });

describe('a node whose machine is not found', () => {
  const cloud = withCloud();

  it('is reported as pending, and the others are served', async () => {
    const controller = cloud().controller();
    const service = new TestService();
    const { ingress, pendingNodes } = await controller.ensure(service, [...cloud().nodes('node-1'), late('node-9')]);
    assert.equal(ingress.length, 1);
    assert.deepEqual(pendingNodes, ['node-9']);
    assert.match(service.takeMessages(), /^NodeNotMatched: no traffic goes to node-9/m);
    assert.deepEqual(await controller.updateMembers(service, [...cloud().nodes('node-2'), late('node-9')]), ['node-9']);
    assert.deepEqual(await controller.updateMembers(service, cloud().nodes('node-2')), []);
  });

  it('gives no warning and is not waited for before it is initialised', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    const status = await controller.ensure(service, [...cloud().nodes('node-1'), joining('node-9')]);
    assert.equal(status.pendingNodes, undefined);
    assert.deepEqual(service.takeReasons(), ['AddressAssociated']);
    assert.deepEqual(await controller.updateMembers(service, [...cloud().nodes('node-1'), joining('node-9')]), []);
    assert.deepEqual(service.takeReasons(), []);
  });

  it('gives no warning either while no node at all is initialised', async () => {
    const service = new TestService();
    await assert.rejects(
      cloud()
        .controller()
        .ensure(service, [joining('node-8'), joining('node-9')]),
      {
        code: 'NODES_NOT_MATCHED',
        message: 'no node is initialised yet: node-8, node-9',
      },
    );
    assert.deepEqual(service.takeReasons(), []);
    assert.deepEqual(cloud().addresses(), []);
  });

  it('is told of and not waited for when it belongs to another system', async () => {
    const service = new TestService();
    const status = await cloud()
      .controller()
      .ensure(service, [...cloud().nodes('node-1'), foreign('node-9')]);
    assert.equal(status.pendingNodes, undefined);
    assert.match(service.takeMessages(), /^NodeNotMatched: no traffic goes to node-9/m);
  });
});
