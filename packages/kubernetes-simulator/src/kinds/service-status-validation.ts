import { type JsonObject, listAt, textAt } from '../json.ts';
import { parseIp } from '@cloudstack-ccm/base';
import { ipErrors } from '../validation/addresses.ts';
import { type FieldError, forbiddenField, invalidValue, notSupported } from '../validation/field-errors.ts';
import { subdomainErrors } from '../validation/names.ts';

const IP_MODES = ['Proxy', 'VIP'];

/** Checks `status.loadBalancer`. */
export function validateServiceStatus(service: JsonObject): FieldError[] {
  const ingress = listAt(service, 'status', 'loadBalancer', 'ingress');
  const field = 'status.loadBalancer.ingress';
  if (textAt(service, 'spec', 'type') !== 'LoadBalancer' && ingress.length > 0) {
    return [forbiddenField(field, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  return ingress.flatMap((item, index) =>
    ingressErrors(`${field}[${index}]`, {
      ip: textAt(item, 'ip'),
      hostname: textAt(item, 'hostname'),
      ipMode: textAt(item, 'ipMode'),
    }),
  );
}

interface Ingress {
  readonly ip: string;
  readonly hostname: string;
  readonly ipMode: string;
}

function ingressErrors(field: string, { ip, hostname, ipMode }: Ingress): FieldError[] {
  return [
    ...(ip === '' ? [] : ipErrors(`${field}.ip`, ip)),
    ...modeErrors(`${field}.ipMode`, ip, ipMode),
    ...(hostname === '' ? [] : hostnameErrors(`${field}.hostname`, hostname)),
  ];
}

function modeErrors(field: string, ip: string, ipMode: string): FieldError[] {
  if (ipMode === '') return [];
  if (ip === '') return [forbiddenField(field, 'may not be specified when `ip` is not set')];
  return IP_MODES.includes(ipMode) ? [] : [notSupported(field, ipMode, IP_MODES)];
}

function hostnameErrors(field: string, hostname: string): FieldError[] {
  const errors = subdomainErrors(hostname).map((message) => invalidValue(field, hostname, message));
  const isIp = parseIp(hostname) !== undefined;
  return isIp ? [...errors, invalidValue(field, hostname, 'must be a DNS name, not an IP address')] : errors;
}
