import { parseIp } from '@cloudstack-ccm/base';
import { ipErrors } from '../validation/addresses.ts';
import { duplicate, type FieldError, invalidValue, notSupported, required } from '../validation/field-errors.ts';
import { isHeadless, NONE, type ServiceView } from './service-view.ts';

const FAMILIES = ['IPv4', 'IPv6'];
const POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/** Checks how clusterIP, clusterIPs, ipFamilies and ipFamilyPolicy fit together. */
export function clusterIpErrors(view: ServiceView): FieldError[] {
  if (view.type === 'ExternalName') return [];
  const own = [...pairErrors(view), ...familyListErrors(view), ...policyErrors(view)];
  const malformed = addressErrors(view);
  if (malformed.length > 0) return [...own, ...malformed];
  return [...own, ...stackErrors(view), ...familyMatchErrors(view)];
}

function pairErrors({ clusterIp, clusterIps }: ServiceView): FieldError[] {
  if (clusterIp === '') {
    if (clusterIps.length === 0) return [];
    return [invalidValue('spec.clusterIPs', clusterIps, 'must be empty when `clusterIP` is not specified')];
  }
  if (clusterIps.length === 0) return [required('spec.clusterIPs')];
  return clusterIps[0] === clusterIp
    ? []
    : [invalidValue('spec.clusterIPs', clusterIps, 'first value must match `clusterIP`')];
}

function familyListErrors({ ipFamilies }: ServiceView): FieldError[] {
  return ipFamilies.flatMap((family, index) => {
    const field = `spec.ipFamilies[${index}]`;
    return [
      ...(FAMILIES.includes(family) ? [] : [notSupported(field, family, FAMILIES)]),
      ...(ipFamilies.indexOf(family) < index ? [duplicate(field, family)] : []),
    ];
  });
}

function policyErrors({ ipFamilyPolicy }: ServiceView): FieldError[] {
  if (ipFamilyPolicy === '' || POLICIES.includes(ipFamilyPolicy)) return [];
  return [notSupported('spec.ipFamilyPolicy', ipFamilyPolicy, POLICIES)];
}

function addressErrors({ clusterIps }: ServiceView): FieldError[] {
  if (clusterIps[0] === NONE && clusterIps.length > 1) {
    return [invalidValue('spec.clusterIPs', clusterIps, "'None' must be the first and only value")];
  }
  const addresses = clusterIps.filter((ip, index) => index > 0 || ip !== NONE);
  return addresses.flatMap((ip) => ipErrors(`spec.clusterIPs[${clusterIps.indexOf(ip)}]`, ip));
}

function stackErrors({ clusterIps }: ServiceView): FieldError[] {
  const errors: FieldError[] = [];
  if (clusterIps.length > 2) errors.push(invalidValue('spec.clusterIPs', clusterIps, 'may only hold up to 2 values'));
  const families = clusterIps.map((ip) => parseIp(ip)?.family);
  if (new Set(families).size < families.length) {
    errors.push(invalidValue('spec.clusterIPs', clusterIps, 'may specify no more than one IP for each IP family'));
  }
  return errors;
}

function familyMatchErrors(view: ServiceView): FieldError[] {
  if (isHeadless(view)) return [];
  return view.clusterIps.flatMap((ip, index) => {
    const wanted = view.ipFamilies[index];
    if (wanted === undefined || `IPv${parseIp(ip)?.family ?? ''}` === wanted) return [];
    const detail = `expected an ${wanted} value as indicated by \`ipFamilies[${index}]\``;
    return [invalidValue(`spec.clusterIPs[${index}]`, ip, detail)];
  });
}
