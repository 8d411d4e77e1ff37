import { isObject, type JsonObject, type JsonValue, listAt, numberAt, textAt, valueAt, withValue } from '../json.ts';
import { defaulted } from './strategy.ts';
import { isExternallyAccessible, viewService, withSpec } from './service-view.ts';

/** `v1.DefaultClientIPServiceAffinitySeconds`: three hours. */
const AFFINITY_SECONDS = 10_800;

/** The values that do not depend on other Services. */
export function defaultService(service: JsonObject): JsonObject {
  const typed = withSpec(service, { type: textAt(service, 'spec', 'type') || 'ClusterIP' });
  return withIpModes(withPolicies(withAffinity(withPorts(typed))));
}

function withPorts(service: JsonObject): JsonObject {
  const ports = listAt(service, 'spec', 'ports');
  return ports.length === 0 ? service : withSpec(service, { ports: ports.map(defaultPort) });
}

function defaultPort(port: JsonValue): JsonValue {
  if (!isObject(port)) return port;
  const targetPort = port['targetPort'];
  return targetPort === 0 || targetPort === '' ? { ...port, targetPort: numberAt(port, 'port') } : port;
}

function withAffinity(service: JsonObject): JsonObject {
  const sessionAffinity = textAt(service, 'spec', 'sessionAffinity') || 'None';
  if (sessionAffinity === 'None') return withSpec(service, { sessionAffinity, sessionAffinityConfig: undefined });
  const timeout = valueAt(service, 'spec', 'sessionAffinityConfig', 'clientIP', 'timeoutSeconds');
  if (sessionAffinity !== 'ClientIP' || timeout !== undefined) return service;
  return withSpec(service, { sessionAffinityConfig: { clientIP: { timeoutSeconds: AFFINITY_SECONDS } } });
}

function withPolicies(service: JsonObject): JsonObject {
  const view = viewService(service);
  const outside = isExternallyAccessible(view) && view.externalTrafficPolicy === '';
  const inside = view.type !== 'ExternalName' && view.internalTrafficPolicy === '';
  const allocate = view.type === 'LoadBalancer' && view.allocateLoadBalancerNodePorts === undefined;
  return withSpec(service, {
    ...(outside && { externalTrafficPolicy: 'Cluster' }),
    ...(allocate && { allocateLoadBalancerNodePorts: true }),
    ...(inside && { internalTrafficPolicy: 'Cluster' }),
  });
}

/** Traffic to an ingress address is routed as a virtual IP unless the controller says otherwise. */
function withIpModes(service: JsonObject): JsonObject {
  const ingress = listAt(service, 'status', 'loadBalancer', 'ingress');
  if (ingress.length === 0 || textAt(service, 'spec', 'type') !== 'LoadBalancer') return service;
  const filled = ingress.map((item) =>
    textAt(item, 'ip') !== '' && isObject(item) ? defaulted(item, 'ipMode', 'VIP') : item,
  );
  return withValue(service, ['status', 'loadBalancer', 'ingress'], filled);
}
