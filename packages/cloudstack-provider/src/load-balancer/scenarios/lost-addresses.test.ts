import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Scope } from '@cloudstack-ccm/base';
import { completed } from '@cloudstack-ccm/cloudstack-client';
import type { Controller } from '../testing/cloud.ts';
import { port, TestService } from '../testing/service.ts';
import { withCloud } from '../testing/with-cloud.ts';

describe('an address that somebody gave back by hand', () => {
  const cloud = withCloud();
  const mail = (ports: readonly string[]) =>
    new TestService({ name: 'mail', uid: 'uid-mail', ports: ports.map((text) => port(text)) });

  async function addressFrom(controller: Controller, service: TestService): Promise<string> {
    const { ingress } = await controller.ensure(service, cloud().nodes('node-1'));
    service.edit({ ingress });
    return ingress[0]?.ip ?? '';
  }

  /** Its rules go with it. Allocations are told apart by the second. */
  async function giveBackByHand(address: string): Promise<void> {
    using scope = Scope.root();
    await completed(scope, cloud().client.disassociateIpAddress(scope, { id: cloud().addressId(address) }));
    cloud().simulator.conditions.skewClock(60_000);
  }

  it('is left to a Service that took it since, although that has no rule yet', async () => {
    const controller = cloud().controller();
    const [web, other] = [new TestService(), mail(['25'])];
    const address = await addressFrom(controller, web);
    await giveBackByHand(address);
    // Of itself it would take one that nobody has claimed.
    other.edit({ loadBalancerIp: address });
    cloud().fail('createLoadBalancerRule', { kind: 'job-fails', code: 530, text: 'Failed to create' }, 1);
    await assert.rejects(addressFrom(controller, other), /Failed to create/);
    const next = await addressFrom(controller, web);
    assert.notEqual(next, address);
    assert.equal(await addressFrom(controller, other), address);
    for (const service of [web, other]) await controller.delete(service);
    assert.deepEqual(cloud().addresses(), []);
  });

  it('is left to a rule that holds the port since, whoever made it', async () => {
    const web = new TestService();
    const address = await addressFrom(cloud().controller(), web);
    await giveBackByHand(address);
    await cloud().handMade('debug', { address, port: 80 });
    const controller = cloud().controller();
    assert.notEqual(await addressFrom(controller, web), address);
    await controller.delete(web);
    assert.deepEqual(cloud().addresses(), [address]);
  });
});
