import type { LoadBalancers, LoadBalancerStatus, ServiceContext, ServiceView } from '@cloudstack-ccm/cloud-controllers';
import { Glance } from '../glance/glance.ts';
import { currentHolding } from '../public-ip/address-keeper.ts';
import { holdingsOf, isRecorded } from '../public-ip/record.ts';
import { readAnnotations } from './annotations/annotations.ts';
import { Ensurer } from './ensure.ts';
import { selects } from './annotations/label-selector.ts';
import { loadBalancerName } from './plan/names.ts';
import { Parts, type LoadBalancerDeps } from './parts.ts';
import { Remover } from './remove.ts';
import { buildStatus } from './status.ts';
import { MemberUpdater } from './update-members.ts';

/** Load balancers of Services, made of CloudStack's public addresses, rules, firewall rules and network ACL items. */
export function createLoadBalancers(deps: LoadBalancerDeps): LoadBalancers {
  const parts = new Parts(deps);
  const glance = new Glance(parts, deps.clock);
  const ensurer = new Ensurer(parts);
  const updater = new MemberUpdater(parts);
  const remover = new Remover(parts);
  return {
    conditionDomain: 'cloudstack.apache.org',
    name: (service) => loadBalancerName(service.uid),
    nodeFilter: ({ annotations }) => {
      const { nodeSelector } = readAnnotations(annotations).settings;
      return nodeSelector && (({ labels }) => selects(nodeSelector, labels));
    },
    followsEndpoints: (service) => readAnnotations(service.annotations).settings.readyEndpointsOnly,
    get: (context, service) => look(parts, context, service),
    ensure: async (context, service, nodes) =>
      (await glance.ensure(context, service, nodes)) ??
      (await glance.closely(service, () => ensurer.ensure(context, service, nodes))),
    updateMembers: (context, service, nodes) => {
      const reader = glance.membersOf(service);
      return glance.closely(service, () => updater.update(context, service, nodes, reader));
    },
    delete: async (context, service) => {
      await remover.remove(context, service);
      glance.forget(service);
    },
  };
}

/** Notes on the Service are made before anything else and taken away after it, so they tell whether anything is left. */
async function look(
  parts: Parts,
  context: ServiceContext,
  service: ServiceView,
): Promise<LoadBalancerStatus | undefined> {
  const { record } = parts.book(context, service);
  const { settings } = readAnnotations(service.annotations);
  const [only, ...others] = holdingsOf(record);
  // The rules could only tell which of several it is.
  if (only && others.length === 0) return buildStatus(service, settings, only.address);
  const rules = await parts.rules(context.scope, service);
  if (rules.length === 0 && !record && !isRecorded(service.annotations)) return undefined;
  const places = rules.map(({ publicIpId, publicIp }) => ({ addressId: publicIpId, address: publicIp }));
  const current = currentHolding(record, places);
  return buildStatus(service, settings, current?.address ?? places[0]?.address);
}
