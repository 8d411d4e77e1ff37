import { readRecord } from '../../../public-ip/record.ts';
import type { TestService } from '../service.ts';
import type { World } from './world.ts';

/** All there is, without what differs from one run to the next: ids, times and orders. */
export function pictureOf({ cloud, web, api }: World): unknown {
  const { state } = cloud.simulator;
  const tagsOf = (id: string): readonly string[] =>
    [...state.tags.values()]
      .filter((tag) => tag.resourceId === id)
      .map(({ key, value }) => `${key}=${value}`)
      .toSorted();
  return {
    rules: cloud.rules(),
    policies: [...state.stickinessPolicies.values()]
      .map(({ methodName, parameters, loadBalancerRuleId }) => {
        return `${state.loadBalancerRules.get(loadBalancerRuleId)?.name} ${methodName} ${JSON.stringify(parameters)}`;
      })
      .toSorted(),
    openings: [...state.firewallRules.values()]
      .map(({ id, publicIpId, protocol, startPort, endPort, cidrs }) => {
        const address = state.publicIps.get(publicIpId)?.address;
        return `${address} ${protocol} ${startPort}-${endPort} ${[...cidrs].sort().join()} ${tagsOf(id).join()}`;
      })
      .toSorted(),
    items: [...state.aclItems.values()]
      .map(({ listId, protocol, startPort, cidrs, reason }) => {
        return `${state.aclLists.get(listId)?.name} ${protocol} ${startPort} ${[...cidrs].sort().join()} ${reason}`;
      })
      .toSorted(),
    addresses: cloud.addresses().map((address) => [address, ...tagsOf(cloud.addressId(address))]),
    services: [web, api].map(notesOf),
  };
}

function notesOf(service: TestService): unknown {
  const claims = readRecord(service.view.annotations)?.claims ?? [];
  return {
    claims: claims.map((claim) => (claim.state === 'held' ? [claim.address, claim.origin] : claim)),
    associated: service.annotation('ip-associated-by-controller'),
    ingress: service.view.ingress,
  };
}
