import {
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  numberAt,
  textAt,
  textListAt,
  textsAt,
  valueAt,
} from '../json.ts';

/** The fields of a Service that rules of the API server look at. */
export interface ServiceView {
  readonly type: string;
  readonly ports: readonly ServicePortView[];
  readonly selector: Readonly<Record<string, string>>;
  readonly clusterIp: string;
  readonly clusterIps: readonly string[];
  readonly ipFamilies: readonly string[];
  readonly ipFamilyPolicy: string;
  readonly externalTrafficPolicy: string;
  readonly internalTrafficPolicy: string;
  readonly healthCheckNodePort: number;
  readonly allocateLoadBalancerNodePorts: boolean | undefined;
  readonly loadBalancerClass: string | undefined;
  readonly externalIps: readonly string[];
}

export interface ServicePortView {
  readonly name: string;
  readonly protocol: string;
  readonly port: number;
  readonly targetPort: JsonValue;
  readonly nodePort: number;
  readonly appProtocol: string | undefined;
}

export const NONE = 'None';

export function viewService(service: JsonObject): ServiceView {
  const spec = valueAt(service, 'spec');
  const text = (key: string): string => textAt(spec, key);
  const allocate = valueAt(spec, 'allocateLoadBalancerNodePorts');
  const loadBalancerClass = valueAt(spec, 'loadBalancerClass');
  return {
    type: text('type'),
    ports: listAt(spec, 'ports').map(viewPort),
    selector: textsAt(spec, 'selector'),
    clusterIp: text('clusterIP'),
    clusterIps: textListAt(spec, 'clusterIPs'),
    ipFamilies: textListAt(spec, 'ipFamilies'),
    ipFamilyPolicy: text('ipFamilyPolicy'),
    externalTrafficPolicy: text('externalTrafficPolicy'),
    internalTrafficPolicy: text('internalTrafficPolicy'),
    healthCheckNodePort: numberAt(spec, 'healthCheckNodePort'),
    allocateLoadBalancerNodePorts: typeof allocate === 'boolean' ? allocate : undefined,
    loadBalancerClass: typeof loadBalancerClass === 'string' ? loadBalancerClass : undefined,
    externalIps: textListAt(spec, 'externalIPs'),
  };
}

function viewPort(port: JsonValue): ServicePortView {
  const appProtocol = valueAt(port, 'appProtocol');
  return {
    name: textAt(port, 'name'),
    protocol: textAt(port, 'protocol'),
    port: numberAt(port, 'port'),
    targetPort: (isObject(port) ? port['targetPort'] : undefined) ?? 0,
    nodePort: numberAt(port, 'nodePort'),
    appProtocol: typeof appProtocol === 'string' ? appProtocol : undefined,
  };
}

export function needsClusterIp({ type }: ServiceView): boolean {
  return type !== 'ExternalName';
}

/** True for a type that is served on node ports, whether or not they are given out of the pool. */
export function usesNodePorts({ type }: ServiceView): boolean {
  return type === 'NodePort' || type === 'LoadBalancer';
}

/** True if ports without a node port get one. */
export function allocatesNodePorts({ type, allocateLoadBalancerNodePorts }: ServiceView): boolean {
  return type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);
}

export function needsHealthCheckPort({ type, externalTrafficPolicy }: ServiceView): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
}

export function isHeadless({ clusterIps }: ServiceView): boolean {
  return clusterIps.length === 1 && clusterIps[0] === NONE;
}

export function isExternallyAccessible({ type, externalIps }: ServiceView): boolean {
  return type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && externalIps.length > 0);
}

/** Sets fields of the spec; undefined removes. */
export function withSpec(service: JsonObject, changes: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const spec: Record<string, JsonValue> = isObject(service['spec']) ? { ...service['spec'] } : {};
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) delete spec[key];
    else spec[key] = value;
  }
  return { ...service, spec };
}
