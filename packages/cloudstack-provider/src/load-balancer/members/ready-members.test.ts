import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ReadyNodes } from '@cloudstack-ccm/cloud-controllers';
import { PREFIX } from '../annotations/annotations.ts';
import { port, TestService } from '../testing/service.ts';
import { withCloud } from '../testing/with-cloud.ts';

const NODES = ['node-1', 'node-2', 'node-3'];

const on = (...names: readonly string[]): ReadyNodes => ({ kind: 'known', names: new Set(names) });

const local = (readyNodes?: ReadyNodes): TestService =>
  new TestService({
    externalTrafficPolicy: 'Local',
    annotations: { [`${PREFIX}ready-endpoints-only`]: 'true' },
    ...(readyNodes && { readyNodes }),
  });

describe('a Service whose members are the nodes with ready endpoints', () => {
  const cloud = withCloud();
  const nodes = () => cloud().nodes(...NODES);

  it('begins with those, and follows its endpoints: who comes is added before who goes is removed', async () => {
    const service = local(on('node-1'));
    const controller = cloud().controller();
    await controller.ensure(service, nodes());
    assert.deepEqual(cloud().members(), ['node-1']);
    const before = cloud().lastWrite;
    service.edit({ readyNodes: on('node-2', 'node-3') });
    await controller.updateMembers(service, nodes());
    assert.deepEqual(cloud().writesSince(before), ['assignToLoadBalancerRule', 'removeFromLoadBalancerRule']);
    assert.deepEqual(cloud().members(), ['node-2', 'node-3']);
    const settled = cloud().lastWrite;
    await controller.ensure(service, nodes());
    await controller.updateMembers(service, nodes());
    assert.deepEqual(cloud().writesSince(settled), []);
  });

  it('keeps its members while no endpoint is ready, and is told why', async () => {
    const service = local(on('node-1', 'node-2'));
    const controller = cloud().controller();
    await controller.ensure(service, nodes());
    service.takeReasons();
    const before = cloud().lastWrite;
    for (const readyNodes of [on(), on('a-node-of-elsewhere')]) {
      service.edit({ readyNodes });
      await controller.updateMembers(service, nodes());
      await controller.ensure(service, nodes());
      assert.deepEqual(service.takeReasons(), ['NoReadyEndpoints', 'NoReadyEndpoints']);
    }
    assert.deepEqual(cloud().writesSince(before), []);
    assert.deepEqual(cloud().members(), ['node-1', 'node-2']);
  });

  it('has its members on the new rule too, when a rule is made anew while no endpoint is ready', async () => {
    const service = local(on('node-1', 'node-2'));
    const controller = cloud().controller();
    await controller.ensure(service, nodes());
    service.edit({ readyNodes: on(), ports: [port('80:31999')] });
    await controller.ensure(service, nodes());
    assert.match(cloud().rules().join(), /→ 31999 .*\[node-1,node-2\]/);
  });

  it('gets its address at once when it comes before its pods, and members when they are ready', async () => {
    const service = local(on());
    const controller = cloud().controller();
    const { ingress } = await controller.ensure(service, nodes());
    assert.equal(ingress.length, 1);
    assert.match(service.takeMessages(), /^NoReadyEndpoints: no node that could be a member has a ready endpoint/m);
    service.edit({ readyNodes: on('node-3') });
    await controller.updateMembers(service, nodes());
    assert.deepEqual(cloud().members(), ['node-3']);
  });

  it('has all nodes as members while its endpoints cannot be read, and is told what to permit', async () => {
    const service = local({ kind: 'unknown', reason: 'endpointslices is forbidden' });
    const controller = cloud().controller();
    await controller.ensure(service, nodes());
    assert.deepEqual(cloud().members(), NODES);
    const told = service.takeMessages();
    assert.match(told, /^EndpointsNotKnown: all nodes are members, .*\(endpointslices is forbidden\)/m);
    assert.match(told, /Permit list and watch of endpointslices/);
  });

  it('has all nodes again when it no longer asks', async () => {
    const service = local(on('node-1'));
    const controller = cloud().controller();
    await controller.ensure(service, nodes());
    service.annotate({ 'ready-endpoints-only': null });
    await controller.ensure(service, nodes());
    assert.deepEqual(cloud().members(), NODES);
  });

  it('keeps its members when the annotation can no longer be read', async () => {
    const service = local(on('node-1'));
    const controller = cloud().controller();
    await controller.ensure(service, nodes());
    service.annotate({ 'ready-endpoints-only': 'perhaps' });
    await assert.rejects(controller.updateMembers(service, nodes()), /"perhaps" is neither/);
    assert.deepEqual(cloud().members(), ['node-1']);
  });

  it('asks for its endpoints to be followed, and no other Service does', () => {
    const { loadBalancers } = cloud().controller();
    assert.equal(loadBalancers.followsEndpoints(local().view), true);
    assert.equal(loadBalancers.followsEndpoints(new TestService({ externalTrafficPolicy: 'Local' }).view), false);
  });
});
