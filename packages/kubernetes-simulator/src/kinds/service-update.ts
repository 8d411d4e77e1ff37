import { type JsonObject, type JsonValue, isObject, sameJson, valueAt, withValue } from '../json.ts';
import {
  allocatesNodePorts,
  isExternallyAccessible,
  needsClusterIp,
  needsHealthCheckPort,
  type ServicePortView,
  type ServiceView,
  usesNodePorts,
  viewService,
  withSpec,
} from './service-view.ts';

/**
 * Takes away what no longer fits the type, unless the user changed it in the same update: then validation shall
 * speak of it.
 */
export function dropUnusedFields(service: JsonObject, current: JsonObject): JsonObject {
  const [next, before] = [viewService(service), viewService(current)];
  const unchanged = (key: string): boolean => sameJson(valueAt(service, 'spec', key), valueAt(current, 'spec', key));
  const drops: Record<string, JsonValue | undefined> = {};
  const drop = (when: boolean, ...keys: readonly string[]): void => {
    if (when) for (const key of keys) drops[key] = undefined;
  };
  if (needsClusterIp(before) && !needsClusterIp(next)) {
    drop(unchanged('clusterIP') && unchanged('clusterIPs'), 'clusterIP', 'clusterIPs');
    drop(unchanged('ipFamilies'), 'ipFamilies');
    drop(unchanged('ipFamilyPolicy'), 'ipFamilyPolicy');
  }
  drop(next.type === 'ExternalName', 'internalTrafficPolicy');
  const leavesLoadBalancer = before.type === 'LoadBalancer' && next.type !== 'LoadBalancer';
  drop(leavesLoadBalancer && unchanged('allocateLoadBalancerNodePorts'), 'allocateLoadBalancerNodePorts');
  drop(leavesLoadBalancer && unchanged('loadBalancerClass'), 'loadBalancerClass');
  drop(
    needsHealthCheckPort(before) && !needsHealthCheckPort(next) && unchanged('healthCheckNodePort'),
    'healthCheckNodePort',
  );
  const hides = isExternallyAccessible(before) && !isExternallyAccessible(next);
  drop(hides && unchanged('externalTrafficPolicy'), 'externalTrafficPolicy');
  const dropped = dropNodePorts(withSpec(service, drops), next, before);
  return next.type === 'LoadBalancer' ? dropped : withValue(dropped, ['status', 'loadBalancer'], {});
}

function dropNodePorts(service: JsonObject, next: ServiceView, before: ServiceView): JsonObject {
  const known = next.ports.every(
    ({ nodePort }) => nodePort === 0 || before.ports.some((port) => port.nodePort === nodePort),
  );
  if (!usesNodePorts(before) || usesNodePorts(next) || !known) return service;
  return mapPorts(service, () => 0);
}

/** Values that the server gave before stay, when an update does not mention them. */
export function keepAllocated(service: JsonObject, current: JsonObject): JsonObject {
  const [next, before] = [viewService(service), viewService(current)];
  const kept = keepClusterIps(service, next, before);
  const ports = allocatesNodePorts(before) && allocatesNodePorts(next) ? keepNodePorts(kept, next, before) : kept;
  const health = needsHealthCheckPort(before) && needsHealthCheckPort(next) && next.healthCheckNodePort === 0;
  return health ? withSpec(ports, { healthCheckNodePort: before.healthCheckNodePort }) : ports;
}

/** clusterIP and clusterIPs say the same; an update may mention either. */
function keepClusterIps(service: JsonObject, next: ServiceView, before: ServiceView): JsonObject {
  if (!needsClusterIp(next) || !needsClusterIp(before)) return service;
  const clusterIP = next.clusterIp || before.clusterIp;
  const given = next.clusterIps.length > 0 && !sameJson(next.clusterIps, before.clusterIps);
  const clusterIPs = given ? next.clusterIps : clusterIP === before.clusterIp ? before.clusterIps : [clusterIP];
  return withSpec(service, {
    clusterIP: clusterIP || undefined,
    clusterIPs: clusterIPs.length > 0 ? clusterIPs : undefined,
  });
}

function keepNodePorts(service: JsonObject, next: ServiceView, before: ServiceView): JsonObject {
  const taken = new Set(next.ports.map(({ nodePort }) => nodePort));
  const byName = new Map(before.ports.map((port) => [port.name, port.nodePort]));
  return mapPorts(service, ({ name, nodePort }) => {
    const earlier = byName.get(name) ?? 0;
    return nodePort !== 0 || taken.has(earlier) ? nodePort : earlier;
  });
}

/** Sets the node port of each port; 0 removes it. */
export function mapPorts(
  service: JsonObject,
  nodePortOf: (port: ServicePortView, index: number) => number,
): JsonObject {
  const views = viewService(service).ports;
  const ports = valueAt(service, 'spec', 'ports');
  if (!Array.isArray(ports)) return service;
  const mapped = (ports as readonly JsonValue[]).map((port, index) => {
    const view = views[index];
    return isObject(port) && view ? withNodePort(port, nodePortOf(view, index)) : port;
  });
  return withSpec(service, { ports: mapped });
}

function withNodePort(port: JsonObject, nodePort: number): JsonObject {
  return withValue(port, ['nodePort'], nodePort === 0 ? undefined : nodePort);
}
