import { ServiceController, type ServiceControllerOptions } from '../services/service-controller.ts';
import type { World } from './cluster.ts';

type Options = Partial<Pick<ServiceControllerOptions, 'clock' | 'log' | 'workers'>>;

/** A controller that knows nothing yet; it does not see what is there before `world.follow()`. */
export function serviceController(world: World, options: Options = {}): ServiceController {
  return new ServiceController({
    ...world.common,
    client: world.client.services,
    services: world.services,
    nodes: world.nodes,
    endpointSlices: world.client.endpointSlices,
    loadBalancers: world.cloud.loadBalancers,
    clusterName: 'kubernetes',
    workers: 2,
    ...options,
  });
}

/** A controller that has seen what is there; nothing runs until the test says so. */
export async function readyServiceController(world: World, options: Options = {}): Promise<ServiceController> {
  const controller = serviceController(world, options);
  await world.follow();
  return controller;
}

/** A controller that has seen what is there, and runs until the test ends. */
export async function runServiceController(world: World, options: Options = {}): Promise<ServiceController> {
  const controller = serviceController(world, options);
  void controller.run(world.scope).catch(() => undefined);
  await world.follow();
  return controller;
}
