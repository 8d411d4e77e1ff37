import { type JsonObject, textAt, textListAt, textsAt, valueAt } from '../json.ts';
import { cidrErrors, reachableIpErrors } from '../validation/addresses.ts';
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '../validation/field-errors.ts';
import { labelErrors } from '../validation/metadata.ts';
import { qualifiedNameErrors, subdomainErrors } from '../validation/names.ts';
import { clusterIpErrors } from './service-cluster-ips.ts';
import { portClashErrors, singlePortErrors } from './service-port-validation.ts';
import {
  isExternallyAccessible,
  isHeadless,
  needsHealthCheckPort,
  type ServiceView,
  viewService,
} from './service-view.ts';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const AFFINITIES = ['ClientIP', 'None'];
const POLICIES = ['Cluster', 'Local'];
const DISTRIBUTIONS = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
const SOURCE_RANGES_ANNOTATION = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const ONLY_LOAD_BALANCER = "may only be used when `type` is 'LoadBalancer'";

/** Checks a Service in the order in which kube-apiserver reports. */
export function validateService(service: JsonObject): FieldError[] {
  const view = viewService(service);
  return [
    ...typeErrors(service, view),
    ...singlePortErrors(view),
    ...labelErrors('spec.selector', view.selector),
    ...affinityErrors(service),
    ...clusterIpErrors(view),
    ...view.externalIps.flatMap((ip, index) => reachableIpErrors(`spec.externalIPs[${index}]`, ip)),
    ...(TYPES.includes(view.type) ? [] : [notSupported('spec.type', view.type, TYPES)]),
    ...portClashErrors(view),
    ...sourceRangeErrors(service, view),
    ...loadBalancerErrors(view),
    ...policyErrors(view),
    ...distributionErrors(service),
  ];
}

function typeErrors(service: JsonObject, view: ServiceView): FieldError[] {
  const errors: FieldError[] = [];
  if (view.ports.length === 0 && !isHeadless(view) && view.type !== 'ExternalName') errors.push(required('spec.ports'));
  if (isHeadless(view) && (view.type === 'LoadBalancer' || view.type === 'NodePort')) {
    errors.push(invalidValue('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${view.type} services`));
  }
  return view.type === 'ExternalName' ? [...errors, ...externalNameErrors(service, view)] : errors;
}

function externalNameErrors(service: JsonObject, view: ServiceView): FieldError[] {
  const given = {
    clusterIPs: view.clusterIps.length > 0,
    ipFamilies: view.ipFamilies.length > 0,
    ipFamilyPolicy: view.ipFamilyPolicy !== '',
  };
  const misplaced = Object.entries(given).filter(([, isSet]) => isSet);
  const name = textAt(service, 'spec', 'externalName').replace(/\.$/, '');
  return [
    ...misplaced.map(([key]) => forbiddenField(`spec.${key}`, 'may not be set for ExternalName services')),
    ...(name === '' ? [required('spec.externalName')] : []),
    ...(name && subdomainErrors(name).length > 0
      ? subdomainErrors(name).map((message) => invalidValue('spec.externalName', name, message))
      : []),
  ];
}

function affinityErrors(service: JsonObject): FieldError[] {
  const affinity = textAt(service, 'spec', 'sessionAffinity');
  const field = 'spec.sessionAffinityConfig';
  const config = valueAt(service, 'spec', 'sessionAffinityConfig');
  if (!AFFINITIES.includes(affinity)) return [notSupported('spec.sessionAffinity', affinity, AFFINITIES)];
  if (affinity === 'None') {
    return config === undefined ? [] : [forbiddenField(field, 'must not be set when session affinity is None')];
  }
  const seconds = valueAt(config, 'clientIP', 'timeoutSeconds');
  if (typeof seconds === 'number' && seconds > 0 && seconds <= 86_400) return [];
  return [invalidValue(`${field}.clientIP.timeoutSeconds`, seconds, 'must be greater than 0 and less than 86400')];
}

/** The field's name begins with a capital in these messages: kube-apiserver's own slip. */
function sourceRangeErrors(service: JsonObject, { type }: ServiceView): FieldError[] {
  const ranges = textListAt(valueAt(service, 'spec'), 'loadBalancerSourceRanges');
  const annotation = textsAt(service, 'metadata', 'annotations')[SOURCE_RANGES_ANNOTATION];
  const field =
    ranges.length > 0 ? 'spec.LoadBalancerSourceRanges' : `metadata.annotations[${SOURCE_RANGES_ANNOTATION}]`;
  if (ranges.length === 0 && annotation === undefined) return [];
  const misplaced = type === 'LoadBalancer' ? [] : [forbiddenField(field, ONLY_LOAD_BALANCER)];
  const listed = annotation?.trim() ? annotation.split(',') : [];
  const wrong =
    ranges.length > 0
      ? ranges.flatMap((range, index) => cidrErrors(`${field}[${index}]`, range.trim()))
      : listed.flatMap((range) => cidrErrors(field, range.trim()));
  return [...misplaced, ...wrong];
}

export function loadBalancerErrors({
  type,
  allocateLoadBalancerNodePorts,
  loadBalancerClass,
}: ServiceView): FieldError[] {
  if (type === 'LoadBalancer') {
    const errors = loadBalancerClass === undefined ? [] : qualifiedNameErrors(loadBalancerClass);
    return errors.map((message) => invalidValue('spec.loadBalancerClass', loadBalancerClass, message));
  }
  return [
    ...(allocateLoadBalancerNodePorts === undefined
      ? []
      : [forbiddenField('spec.allocateLoadBalancerNodePorts', ONLY_LOAD_BALANCER)]),
    ...(loadBalancerClass === undefined ? [] : [forbiddenField('spec.loadBalancerClass', ONLY_LOAD_BALANCER)]),
  ];
}

function policyErrors(view: ServiceView): FieldError[] {
  const { externalTrafficPolicy: outside, internalTrafficPolicy: inside } = view;
  const field = 'spec.externalTrafficPolicy';
  const errors: FieldError[] = [];
  if (!isExternallyAccessible(view)) {
    if (outside !== '') errors.push(invalidValue(field, outside, 'may only be set for externally-accessible services'));
  } else if (!POLICIES.includes(outside)) errors.push(notSupported(field, outside, POLICIES));
  if (!needsHealthCheckPort(view) && view.healthCheckNodePort !== 0) {
    const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    errors.push(invalidValue('spec.healthCheckNodePort', view.healthCheckNodePort, detail));
  }
  if (inside !== '' && !POLICIES.includes(inside))
    errors.push(notSupported('spec.internalTrafficPolicy', inside, POLICIES));
  return errors;
}

function distributionErrors(service: JsonObject): FieldError[] {
  const distribution = textAt(service, 'spec', 'trafficDistribution');
  if (distribution === '' || DISTRIBUTIONS.includes(distribution)) return [];
  return [notSupported('spec.trafficDistribution', distribution, DISTRIBUTIONS)];
}
