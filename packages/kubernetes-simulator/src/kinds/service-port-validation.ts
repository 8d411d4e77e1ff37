import type { JsonValue } from '../json.ts';
import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../validation/field-errors.ts';
import { dnsLabelErrors, qualifiedNameErrors } from '../validation/names.ts';
import type { ServicePortView, ServiceView } from './service-view.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** Checks each port of a Service by itself. */
export function singlePortErrors({ ports }: ServiceView): FieldError[] {
  return ports.flatMap((port, index) => {
    const field = `spec.ports[${index}]`;
    return [
      ...nameErrors(field, port, ports, index),
      ...numberErrors(`${field}.port`, port.port),
      ...(PROTOCOLS.includes(port.protocol) ? [] : [notSupported(`${field}.protocol`, port.protocol, PROTOCOLS)]),
      ...targetErrors(`${field}.targetPort`, port.targetPort),
      ...(port.appProtocol === undefined ? [] : protocolErrors(`${field}.appProtocol`, port.appProtocol)),
    ];
  });
}

/** Checks the ports of a Service against each other and against its type. */
export function portClashErrors({ ports, type }: ServiceView): FieldError[] {
  const onClusterIp = ports.flatMap(({ nodePort }, index) =>
    type === 'ClusterIP' && nodePort !== 0
      ? [forbiddenField(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'")]
      : [],
  );
  const nodePorts = repeated(ports, ({ protocol, nodePort }) =>
    nodePort === 0 ? undefined : `${protocol}/${nodePort}`,
  );
  const numbers = repeated(ports, ({ protocol, port }) => `${protocol}/${port}`);
  return [
    ...onClusterIp,
    ...nodePorts.map(([index, { nodePort }]) => duplicate(`spec.ports[${index}].nodePort`, nodePort)),
    ...numbers.map(([index, port]) => duplicate(`spec.ports[${index}]`, goPort(port))),
  ];
}

/** A port number that a packet can carry. */
function numberErrors(field: string, port: number): FieldError[] {
  return port >= 1 && port <= 65_535 ? [] : [invalidValue(field, port, 'must be between 1 and 65535, inclusive')];
}

function nameErrors(
  field: string,
  { name }: ServicePortView,
  ports: readonly ServicePortView[],
  index: number,
): FieldError[] {
  if (name === '') return ports.length > 1 ? [required(`${field}.name`)] : [];
  const errors = dnsLabelErrors(name).map((message) => invalidValue(`${field}.name`, name, message));
  const isRepeated = ports.findIndex((other) => other.name === name) < index;
  return isRepeated ? [...errors, duplicate(`${field}.name`, name)] : errors;
}

function targetErrors(field: string, target: JsonValue): FieldError[] {
  if (typeof target === 'number') return numberErrors(field, target);
  return portNameErrors(typeof target === 'string' ? target : '').map((message) =>
    invalidValue(field, target, message),
  );
}

/** The name of a container's port: an IANA service name. */
function portNameErrors(name: string): string[] {
  const errors: [isWrong: boolean, message: string][] = [
    [name.length > 15, 'must be no more than 15 characters'],
    [!/^[-a-z0-9]+$/.test(name), 'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)'],
    [!/[a-z]/.test(name), 'must contain at least one letter (a-z)'],
    [name.includes('--'), 'must not contain consecutive hyphens'],
    [/^-|-$/.test(name), 'must not begin or end with a hyphen'],
  ];
  return errors.filter(([isWrong]) => isWrong).map(([, message]) => message);
}

function protocolErrors(field: string, protocol: string): FieldError[] {
  return qualifiedNameErrors(protocol).map((message) => invalidValue(field, protocol, message));
}

function repeated(
  ports: readonly ServicePortView[],
  identityOf: (port: ServicePortView) => string | undefined,
): [index: number, port: ServicePortView][] {
  const seen = new Set<string>();
  return ports.flatMap((port, index): [number, ServicePortView][] => {
    const identity = identityOf(port);
    if (identity === undefined) return [];
    const isRepeated = seen.has(identity);
    seen.add(identity);
    return isRepeated ? [[index, port]] : [];
  });
}

/** A port as messages show it: with Go's field names, and only what identifies it. */
function goPort({ protocol, port }: ServicePortView): JsonValue {
  return { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
}
