import type { JsonObject } from '../json.ts';
import { type FieldError, forbiddenField, invalidValue } from '../validation/field-errors.ts';
import { loadBalancerErrors } from './service-validation.ts';
import { isHeadless, needsHealthCheckPort, type ServiceView, viewService } from './service-view.ts';

/** Checks what an update may not change. */
export function validateServiceUpdate(service: JsonObject, current: JsonObject): FieldError[] {
  const [next, before] = [viewService(service), viewService(current)];
  const errors = next.type === 'ExternalName' || before.type === 'ExternalName' ? [] : addressChanges(next, before);
  const [was, is] = [before.loadBalancerClass, next.loadBalancerClass];
  if (before.type === 'LoadBalancer' && next.type === 'LoadBalancer' && was !== is) {
    errors.push(invalidValue('spec.loadBalancerClass', is ?? null, 'may not change once set'));
  }
  const sameCheck = next.healthCheckNodePort === before.healthCheckNodePort;
  if (needsHealthCheckPort(next) && needsHealthCheckPort(before) && !sameCheck) {
    errors.push(forbiddenField('spec.healthCheckNodePort', 'field is immutable'));
  }
  return [...errors, ...loadBalancerErrors(next).filter(({ field }) => field === 'spec.loadBalancerClass')];
}

function addressChanges(next: ServiceView, before: ServiceView): FieldError[] {
  if (isHeadless(next) && isHeadless(before)) return [];
  const ips = before.clusterIps.flatMap((ip, index) =>
    next.clusterIps[index] === ip
      ? []
      : [invalidValue(`spec.clusterIPs[${index}]`, next.clusterIps, 'may not change once set')],
  );
  if (isHeadless(next) !== isHeadless(before) || next.ipFamilies[0] === before.ipFamilies[0]) return ips;
  return [...ips, invalidValue('spec.ipFamilies[0]', next.ipFamilies, 'may not change once set')];
}
