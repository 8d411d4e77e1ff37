import type { World } from './world.ts';

/** A small installation to play with: an account, an isolated network and three machines. */
export function demoScene(world: World): void {
  world.zone({ name: 'zone-a' });
  world.domain({ name: 'tenants' });
  world.account({ name: 'k8s', domain: 'ROOT/tenants' });
  world.network({ name: 'k8s-net', owner: 'k8s', cidr: '10.1.1.0/24' });
  for (const name of ['node-1', 'node-2', 'node-3'])
    world.virtualMachine({ name, owner: 'k8s', networks: ['k8s-net'] });
}
