import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LB, port, TestService } from './testing/service.ts';
import { withCloud } from './testing/with-cloud.ts';

const NODES = ['node-1', 'node-2', 'node-3'];

describe('a new load balancer in an isolated network', () => {
  const cloud = withCloud();

  it('gets an address, a rule with all members and an open port', async () => {
    const service = new TestService();
    const status = await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    const [address] = cloud().addresses();
    assert.deepEqual(status, { ingress: [{ ip: address }] });
    assert.deepEqual(cloud().rules(), [
      `${LB}-tcp-80 ${address}:80 → 31080 tcp roundrobin [node-1,node-2,node-3] (0.0.0.0/0)`,
    ]);
    assert.deepEqual(cloud().firewall(), [`${address} tcp 80-80 0.0.0.0/0`]);
    assert.equal(service.annotation('ip-associated-by-controller'), 'true');
    assert.deepEqual(service.takeReasons(), ['AddressAssociated']);
  });

  it('costs two reads of its own, four writes, and one createTags for each kind of object', async () => {
    const controller = cloud().controller();
    const before = cloud().lastCall;
    await controller.ensure(new TestService(), cloud().nodes(...NODES));
    const shared = new Set(['listVirtualMachines', 'listNetworks', 'queryAsyncJobResult']);
    const own = cloud()
      .callsSince(before)
      .map((call) => call.command)
      .filter((command) => !shared.has(command));
    assert.deepEqual(own.toSorted(), [
      'assignToLoadBalancerRule',
      'associateIpAddress',
      'createFirewallRule',
      'createLoadBalancerRule',
      'createTags',
      'createTags',
      'listLoadBalancerRules',
      'listPublicIpAddresses',
    ]);
  });

  it('marks the address and the firewall rule with cluster and Service', async () => {
    await cloud()
      .controller()
      .ensure(new TestService(), cloud().nodes(...NODES));
    const { state } = cloud().simulator;
    const tags = [...state.tags.values()].map(({ resourceType, key, value }) => `${resourceType} ${key}=${value}`);
    assert.deepEqual(tags.toSorted().slice(0, 3), [
      'FirewallRule cloudstack-ccm/cluster=cluster-1',
      'FirewallRule cloudstack-ccm/service-uid=11111111-2222-3333-4444-555555555555',
      'FirewallRule cloudstack-ccm/service=default/web',
    ]);
    assert.equal(tags.filter((tag) => tag.startsWith('PublicIpAddress')).length, 3);
    assert.match([...state.loadBalancerRules.values()][0]?.description ?? '', /default\/web of cluster cluster-1/);
  });

  it('serves every port, and shows the host name that is asked for instead of the address', async () => {
    const service = new TestService({ ports: [port('80:31080'), port('443:31443')] });
    service.annotate({ hostname: 'lb.example.com' });
    const controller = cloud().controller();
    const status = await controller.ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(status, { ingress: [{ hostname: 'lb.example.com' }] });
    assert.deepEqual(await cloud().controller().get(service), status);
    assert.equal(cloud().rules().length, 2);
  });
});

describe('a load balancer in which nothing is to do', () => {
  const cloud = withCloud();

  it('is not written to, by this controller nor by a new one, whatever the order of nodes', async () => {
    const service = new TestService({ ports: [port('80:31080'), port('443:31443')] });
    const controller = cloud().controller();
    const first = await controller.ensure(service, cloud().nodes(...NODES));
    const [writes, annotations] = [cloud().lastWrite, service.annotationWrites];
    assert.deepEqual(await controller.ensure(service, cloud().nodes(...NODES.toReversed())), first);
    assert.deepEqual(
      await cloud()
        .controller()
        .ensure(service, cloud().nodes(...NODES)),
      first,
    );
    await controller.updateMembers(service, cloud().nodes(...NODES));
    assert.deepEqual(cloud().writesSince(writes), []);
    assert.equal(service.annotationWrites, annotations);
  });
});

describe('a load balancer that goes', () => {
  const cloud = withCloud();

  it('leaves nothing behind, on the cloud or on the Service', async () => {
    const service = new TestService({ annotations: { 'example.com/own': 'kept' } });
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    assert.ok(await controller.get(service));
    await controller.delete(service);
    assert.deepEqual([cloud().rules(), cloud().firewall(), cloud().addresses()], [[], [], []]);
    assert.deepEqual(service.view.annotations, { 'example.com/own': 'kept' });
    assert.equal(await controller.get(service), undefined);
  });

  it('costs three reads beside that of the network, with the question whether it exists', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    const before = cloud().lastCall;
    assert.ok(await controller.get(service));
    await controller.delete(service);
    const reads = cloud()
      .callsSince(before)
      .map((call) => call.command)
      .filter((command) => command.startsWith('list'));
    assert.deepEqual(reads, ['listLoadBalancerRules', 'listFirewallRules', 'listPublicIpAddresses']);
  });

  it('is gone for a controller that has just started, too, and a second removal does nothing', async () => {
    const service = new TestService();
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    await cloud().controller().delete(service);
    const writes = cloud().lastWrite;
    await cloud().controller().delete(service);
    assert.deepEqual(cloud().writesSince(writes), []);
    assert.deepEqual(cloud().addresses(), []);
  });

  it('exists until its address is released: the removal is tried again', async () => {
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    cloud().fail('disassociateIpAddress', { kind: 'job-fails', code: 530, text: 'router is busy' }, 1);
    await assert.rejects(
      controller.delete(service),
      /error releasing load balancer IP 203\.0\.113\.\d+: .*router is busy/,
    );
    assert.deepEqual(cloud().rules(), []);
    assert.ok(await cloud().controller().get(service), 'still there for a controller that has just started');
    await cloud().controller().delete(service);
    assert.deepEqual(cloud().addresses(), []);
    assert.equal(await cloud().controller().get(service), undefined);
  });

  it('keeps a rule whose opening cannot be shut, and removes everything else', async () => {
    const service = new TestService({ ports: [port('80:31080'), port('443:31443')] });
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    cloud().fail('deleteFirewallRule', { kind: 'api-error', code: 530, text: 'no luck' }, 1);
    await assert.rejects(controller.delete(service), /no luck/);
    assert.equal(cloud().rules().length, 1);
    assert.equal(cloud().firewall().length, 1);
    assert.equal(cloud().addresses().length, 1);
    await controller.delete(service);
    assert.deepEqual([cloud().rules(), cloud().firewall(), cloud().addresses()], [[], [], []]);
  });
});

describe('several load balancers at once', () => {
  const cloud = withCloud();

  it('have an address each, with the rules of one Service', async () => {
    const controller = cloud().controller();
    const services = Array.from({ length: 8 }, (_, n) => new TestService({ name: `web-${n}`, uid: `uid-${n}` }));
    const statuses = await Promise.all(services.map((one) => controller.ensure(one, cloud().nodes(...NODES))));
    const addresses = new Set(statuses.map((status) => status.ingress[0]?.ip));
    assert.equal(addresses.size, 8);
    assert.deepEqual(addresses, new Set(cloud().addresses()));
    assert.equal(cloud().rules().length, 8);
  });

  it('are worked on two at a time', async () => {
    const controller = cloud().controller();
    const services = Array.from({ length: 6 }, (_, n) => new TestService({ name: `web-${n}`, uid: `uid-${n}` }));
    let atWork = 0;
    let most = 0;
    for (const service of services) {
      let begun = false;
      service.beforeAnnotate = () => {
        if (!begun) most = Math.max(most, ++atWork);
        begun = true;
      };
    }
    await Promise.all(
      services.map(async (one) => {
        await controller.ensure(one, cloud().nodes(...NODES));
        atWork--;
      }),
    );
    assert.equal(most, 2);
  });
});
