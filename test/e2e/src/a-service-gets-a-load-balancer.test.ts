import assert from 'node:assert/strict';
import { scenario } from './world/scenario.ts';
import { expose, initialise, loadBalancerName, WEB } from './world/steps.ts';
import { waitFor } from './world/wait-for.ts';

const ALL = ['node-1', 'node-2', 'node-3'];

scenario('a Service with two ports gets an address, rules, members, open ports and a status', async (world) => {
  await world.startController();
  await initialise(world);
  const service = await expose(world);
  const name = loadBalancerName(service);
  const memberAddresses = ALL.map((machine) => world.cloud.machine(machine).address).sort();
  const rule = { address: service.address, protocol: 'tcp', sources: '0.0.0.0/0', members: ALL, memberAddresses };
  assert.deepEqual(world.cloud.rules(), [
    { ...rule, name: `${name}-tcp-80`, publicPort: 80, privatePort: service.nodePorts['http'] },
    { ...rule, name: `${name}-tcp-443`, publicPort: 443, privatePort: service.nodePorts['https'] },
  ]);
  assert.deepEqual(world.cloud.firewall(), [
    `${service.address} tcp 443-443 0.0.0.0/0`,
    `${service.address} tcp 80-80 0.0.0.0/0`,
  ]);
  assert.deepEqual(world.cloud.addresses(), [service.address]);
  assert.deepEqual(service.finalizers, ['service.kubernetes.io/load-balancer-cleanup']);
  await waitFor('events tell the user', async () => {
    assert.deepEqual(await world.reasons('Service web'), [
      'AddressAssociated',
      'EnsuredLoadBalancer',
      'EnsuringLoadBalancer',
    ]);
  });
});

scenario('a Service that asks for an address gets that one', async (world) => {
  const address = world.cloud.takeAddress();
  await world.startController();
  await initialise(world);
  const service = await expose(world, { ...WEB, loadBalancerIp: address });
  assert.equal(service.address, address);
  assert.deepEqual(world.cloud.addresses(), [address]);
  assert.deepEqual(
    world.cloud.rules().map((rule) => rule.address),
    [address, address],
  );
});

scenario('TCP with PROXY protocol and plain TCP can be told apart', async (world) => {
  await world.startController();
  await initialise(world);
  const annotations = { 'service.beta.kubernetes.io/cloudstack-load-balancer-proxy-protocol': 'true' };
  const service = await expose(world, { ...WEB, annotations });
  assert.deepEqual(
    world.cloud.rules().map(({ name, protocol }) => [name, protocol]),
    [
      [`${loadBalancerName(service)}-tcp-proxy-80`, 'tcp-proxy'],
      [`${loadBalancerName(service)}-tcp-proxy-443`, 'tcp-proxy'],
    ],
  );
});

scenario('a Service that the user wrote wrongly is told so, and nothing is allocated for it', async (world) => {
  await world.startController();
  await initialise(world);
  const annotations = { 'service.beta.kubernetes.io/cloudstack-load-balancer-source-cidrs': '10.0.0.0/8,nonsense' };
  await world.createService({ ...WEB, annotations });
  await waitFor('an event names what is wrong', async () => {
    const told = (await world.events('Service web')).filter(({ type }) => type === 'Warning');
    assert.ok(told.some(({ message }) => message.includes('invalid CIDR') && message.includes('nonsense')));
  });
  assert.deepEqual(world.cloud.writes(), []);
});
