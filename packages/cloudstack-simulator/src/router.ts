import type { Faults } from './faults.ts';
import type { Network, Router, State } from './state.ts';

/** The network or VPC whose router serves a network. */
export function routerHome(network: Pick<Network, 'id' | 'vpcId'>): string {
  return network.vpcId ?? network.id;
}

export function routerOf(state: State, network: Pick<Network, 'id' | 'vpcId'>): Router | undefined {
  return state.routers.by('home', routerHome(network))[0];
}

/** True if there is a router at work that answers with a failure. A stopped one is not even asked. */
export function refusesRouter(
  { state, faults }: { readonly state: State; readonly faults: Faults },
  networkId: string,
  command: string,
): boolean {
  const network = state.networks.get(networkId);
  const router = network && routerOf(state, network);
  return router?.state === 'Running' && faults.refuses(router, command);
}
