import assert from 'node:assert/strict';
import type { ServiceState } from './objects.ts';
import type { ServiceOptions } from './service-object.ts';
import { waitFor } from './wait-for.ts';
import type { World } from './world.ts';

export const WEB: ServiceOptions = {
  name: 'web',
  ports: [
    { name: 'http', port: 80 },
    { name: 'https', port: 443 },
  ],
};

/** Joins nodes and waits until they are initialised. */
export async function initialise(
  world: World,
  names: readonly string[] = ['node-1', 'node-2', 'node-3'],
): Promise<void> {
  for (const name of names) await world.join(name);
  for (const name of names) await waitFor(`${name} is initialised`, () => isInitialised(world, name));
}

/** @throws while it is not: for `waitFor`. */
export async function isInitialised(world: World, name: string): Promise<void> {
  const { taints, providerId } = await world.node(name);
  assert.ok(!taints.includes('node.cloudprovider.kubernetes.io/uninitialized'));
  assert.ok(providerId);
}

/** Creates a Service and waits until it has an address. */
export async function expose(world: World, options: ServiceOptions = WEB): Promise<ServiceState & { address: string }> {
  await world.createService(options);
  return await waitFor(`Service ${options.name} has an address`, async () => {
    const service = await world.service(options.name);
    const [address] = service.ingress;
    assert.ok(address, 'there is no address in the status');
    return { ...service, address };
  });
}

/** The name of a Service's load balancer, as the Go controller makes it. */
export function loadBalancerName({ uid }: { readonly uid: string }): string {
  return `a${uid.replaceAll('-', '')}`.slice(0, 32);
}
