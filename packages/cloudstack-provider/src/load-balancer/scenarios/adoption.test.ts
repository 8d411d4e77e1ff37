import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cloud } from '../testing/cloud.ts';
import { LB, port, TestService } from '../testing/service.ts';
import { withCloud } from '../testing/with-cloud.ts';

const NODES = ['node-1', 'node-2', 'node-3'];

/** Commands that touch traffic: everything that changes something but marks. */
function touching(cloud: Cloud, since: number): readonly string[] {
  return cloud.writesSince(since).filter((command) => command !== 'createTags');
}

describe('a load balancer that the Go CCM made', () => {
  const cloud = withCloud();

  it('is taken over without touching traffic, and marked', async () => {
    const { address } = await cloud().handMade(`${LB}-tcp-80`, { members: NODES });
    const service = new TestService({ ingress: [{ ip: address }] });
    const before = cloud().lastWrite;
    const status = await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(status, { ingress: [{ ip: address }] });
    assert.deepEqual(touching(cloud(), before), []);
    assert.equal(cloud().writesSince(before).length, 2, 'one createTags for the address, one for its opening');
    const later = cloud().lastWrite;
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(cloud().writesSince(later), []);
  });

  it('brings along openings that are out of date: they are replaced', async () => {
    const { address } = await cloud().handMade(`${LB}-tcp-80`, { members: NODES, firewall: false });
    await cloud().openByHand(address, 80, ['192.0.2.0/24']);
    const service = new TestService();
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(cloud().firewall(), [`${address} tcp 80-80 0.0.0.0/0`]);
  });

  it('gets its openings replaced even when the first try fails', async () => {
    const { address } = await cloud().handMade(`${LB}-tcp-80`, { members: NODES, firewall: false });
    await cloud().openByHand(address, 80, ['192.0.2.0/24']);
    const service = new TestService();
    cloud().fail('createFirewallRule', { kind: 'api-error', code: 530, text: 'no luck' }, 1);
    await assert.rejects(
      cloud()
        .controller()
        .ensure(service, cloud().nodes(...NODES)),
      /no luck/,
    );
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(cloud().firewall(), [`${address} tcp 80-80 0.0.0.0/0`]);
  });

  it('keeps an opening made by hand after it was taken over', async () => {
    const { address } = await cloud().handMade(`${LB}-tcp-80`, { members: NODES });
    const service = new TestService();
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    await cloud().openByHand(address, 80, ['192.0.2.0/24']);
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.equal(cloud().firewall().length, 2);
  });

  it('loses its address at the end when the Go CCM had taken it', async () => {
    await cloud().handMade(`${LB}-tcp-80`, { members: NODES });
    const service = new TestService();
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    await cloud().controller().delete(service);
    assert.deepEqual([cloud().rules(), cloud().firewall(), cloud().addresses()], [[], [], []]);
  });

  it('goes whole when it is deleted before it was ever synced', async () => {
    await cloud().handMade(`${LB}-tcp-80`, { members: NODES });
    const service = new TestService();
    assert.ok(await cloud().controller().get(service));
    await cloud().controller().delete(service);
    assert.deepEqual([cloud().rules(), cloud().firewall(), cloud().addresses()], [[], [], []]);
    assert.deepEqual(service.view.annotations, {});
  });

  it('goes whole even when the Service is gone and nothing can be noted on it', async () => {
    await cloud().handMade(`${LB}-tcp-80`, { members: NODES });
    const service = new TestService();
    service.beforeAnnotate = (changes) => {
      if (Object.values(changes).some((value) => value !== null)) throw new Error('services "web" not found');
    };
    await cloud().controller().delete(service);
    assert.deepEqual([cloud().rules(), cloud().firewall(), cloud().addresses()], [[], [], []]);
  });

  it('keeps an address that the user had asked for, and that nobody noted as taken', async () => {
    await cloud().handMade(`${LB}-tcp-80`, { members: NODES, address: '203.0.113.15' });
    const service = new TestService({ loadBalancerIp: '203.0.113.15' });
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    service.edit({ loadBalancerIp: '' });
    await cloud().controller().delete(service);
    assert.deepEqual(cloud().addresses(), ['203.0.113.15']);
  });

  it('loses an address that the user had asked for, and that the Go CCM had noted as taken', async () => {
    await cloud().handMade(`${LB}-tcp-80`, { members: NODES, address: '203.0.113.15' });
    const service = new TestService({ loadBalancerIp: '203.0.113.15' });
    service.annotate({ 'ip-associated-by-controller': 'true' });
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    await cloud().controller().delete(service);
    assert.deepEqual(cloud().addresses(), []);
  });
});

describe('a load balancer that the Leaseweb fork made', () => {
  const cloud = withCloud();

  async function left(changes: Readonly<Record<string, string>> = {}): Promise<TestService> {
    const name = 'K8s_svc_kubernetes_default_web-tcp-80';
    const { address, addressId } = await cloud().handMade(name, { members: NODES });
    const service = new TestService({ ingress: [{ ip: address }] });
    service.annotate({ id: addressId, 'network-id': cloud().networkId('net-iso'), address, ...changes });
    return service;
  }

  it('is found by the address it noted, and only its name changes', async () => {
    const service = await left();
    const [ids, before] = [cloud().ruleIds(), cloud().lastWrite];
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(touching(cloud(), before), ['updateLoadBalancerRule']);
    assert.deepEqual(cloud().ruleIds(), ids);
    assert.match(cloud().rules()[0] ?? '', new RegExp(`^${LB}-tcp-80 `));
    await cloud().controller().delete(service);
    assert.deepEqual([cloud().rules(), cloud().firewall(), cloud().addresses()], [[], [], []]);
  });

  it('keeps its address when the user said so', async () => {
    const service = await left({ 'keep-ip': 'true' });
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    const addresses = cloud().addresses();
    await cloud().controller().delete(service);
    assert.deepEqual(cloud().addresses(), addresses);
  });

  it('keeps its address when it was the user who asked for it', async () => {
    const service = await left();
    const applied = JSON.stringify({
      metadata: { annotations: { 'service.beta.kubernetes.io/cloudstack-load-balancer-address': 'any' } },
    });
    const annotations = { ...service.view.annotations, 'kubectl.kubernetes.io/last-applied-configuration': applied };
    service.edit({ annotations });
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    const addresses = cloud().addresses();
    await cloud().controller().delete(service);
    assert.deepEqual(cloud().addresses(), addresses);
  });

  it('is never taken over by name alone', async () => {
    await cloud().handMade('K8s_svc_kubernetes_default_web-tcp-80', { members: NODES });
    const service = new TestService({ ports: [port('80:31080')] });
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.equal(cloud().rules().length, 2);
    await cloud().controller().delete(service);
    assert.equal(cloud().rules().length, 1);
  });
});
