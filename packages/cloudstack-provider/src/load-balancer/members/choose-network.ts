import type { Nic } from '@cloudstack-ccm/cloudstack-client';
import type { Resolution } from '../../instances/resolver.ts';
import { defaultNic } from '../../inventory/nics.ts';
import { NodesNotMatchedError } from '../errors.ts';
import { addressIn } from './member-address.ts';

/**
 * The network that the rules of a new load balancer belong to: the one of the nodes' default network cards, or, where
 * these differ, the only one in which every node has a card.
 * @param ranges CIDRs that say which cards count, by an address of theirs; undefined: the default ones
 * @throws NodesNotMatchedError when there is no such network
 */
export function chooseNetwork({ resolved }: Resolution, ranges?: readonly string[]): string {
  const cards = resolved.flatMap(({ node, vm }) => {
    const nic = ranges ? vm.nics.find((one) => addressIn(one, ranges) !== undefined) : defaultNic(vm);
    return nic ? [{ node: node.name, nic, all: vm.nics }] : [];
  });
  const networks = new Set(cards.map(({ nic }) => nic.networkId));
  const [first] = networks;
  if (first === undefined)
    throw new NodesNotMatchedError(
      ranges
        ? `none of the virtual machines of the nodes has an address of ${ranges.join(', ')}`
        : 'none of the virtual machines of the nodes has a network card',
    );
  if (networks.size === 1) return first;
  const shared = sharedNetworks(cards.map(({ all }) => all));
  const [only] = shared;
  if (only !== undefined && shared.length === 1) return only;
  const places = cards.map(({ node, nic }) => `${node} → ${nic.networkName || nic.networkId}`).join(', ');
  throw new NodesNotMatchedError(`found hosts that belong to different networks: ${places}`);
}

function sharedNetworks(machines: readonly (readonly Nic[])[]): readonly string[] {
  const [first = [], ...others] = machines;
  const candidates = first.filter((nic) => nic.ipAddress !== undefined).map((nic) => nic.networkId);
  return candidates.filter((id) => others.every((nics) => nics.some((nic) => nic.networkId === id)));
}
