import { type JsonObject, type JsonValue, listAt, objectAt, textAt, textListAt, valueAt, withValue } from '../json.ts';
import { cidrErrors } from '../validation/addresses.ts';
import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../validation/field-errors.ts';
import { labelValueErrors, qualifiedNameErrors, subdomainErrors } from '../validation/names.ts';
import type { Strategy, StrategyContext } from './strategy.ts';

const TAINT_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const NOT_READY: JsonObject = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

export const nodeStrategy: Strategy = {
  nameErrors: subdomainErrors,
  defaults: (node) => withAllocatable(withPodCidrs(node)),
  prepareForCreate: withNotReadyTaint,
  validate: validateNode,
  validateUpdate: (node, current) => [...validateNode(node), ...validateNodeUpdate(node, current)],
  validateStatus: validateNodeUpdate,
  fields: (node) => ({ 'spec.unschedulable': String(valueAt(node, 'spec', 'unschedulable') === true) }),
};

/** podCIDR and podCIDRs say the same; a client may give either. */
function withPodCidrs(node: JsonObject): JsonObject {
  const one = textAt(node, 'spec', 'podCIDR');
  const [first] = listAt(node, 'spec', 'podCIDRs');
  if (one !== '' && first === undefined) return withValue(node, ['spec', 'podCIDRs'], [one]);
  return one === '' && first !== undefined ? withValue(node, ['spec', 'podCIDR'], first) : node;
}

function withAllocatable(node: JsonObject): JsonObject {
  const capacity = valueAt(node, 'status', 'capacity');
  const given = valueAt(node, 'status', 'allocatable');
  return capacity === undefined || given !== undefined ? node : withValue(node, ['status', 'allocatable'], capacity);
}

function withNotReadyTaint(node: JsonObject, { settings }: StrategyContext): JsonObject {
  if (!settings.taintNewNodes) return node;
  const taints = listAt(node, 'spec', 'taints');
  const present = taints.some(
    (taint) => textAt(taint, 'key') === NOT_READY['key'] && textAt(taint, 'effect') === 'NoSchedule',
  );
  return present ? node : withValue(node, ['spec', 'taints'], [...taints, NOT_READY]);
}

function validateNode(node: JsonObject): FieldError[] {
  const cidrs = textListAt(node, 'spec', 'podCIDRs').flatMap((cidr, index) =>
    cidrErrors(`spec.podCIDRs[${index}]`, cidr),
  );
  return [...taintErrors(node), ...cidrs];
}

function validateNodeUpdate(node: JsonObject, current: JsonObject): FieldError[] {
  return [
    ...addressErrors(node),
    ...podCidrChanges(node, current),
    ...providerIdChanges(node, current),
    ...taintErrors(node),
  ];
}

/** kube-apiserver reports taints below `metadata`: its own slip, kept. */
function taintErrors(node: JsonObject): FieldError[] {
  const seen = new Set<string>();
  return listAt(node, 'spec', 'taints').flatMap((taint, index) => {
    const field = `metadata.taints[${index}]`;
    const identity = `${textAt(taint, 'effect')}/${textAt(taint, 'key')}`;
    const errors = oneTaintErrors(field, taint);
    if (seen.has(identity))
      errors.push(duplicate(field, goTaint(taint), 'taints must be unique by key and effect pair'));
    seen.add(identity);
    return errors;
  });
}

function oneTaintErrors(field: string, taint: JsonValue): FieldError[] {
  const [key, value, effect] = [textAt(taint, 'key'), textAt(taint, 'value'), textAt(taint, 'effect')];
  const valueErrors = labelValueErrors(value);
  return [
    ...qualifiedNameErrors(key).map((message) => invalidValue(`${field}.key`, key, message)),
    ...(valueErrors.length > 0 ? [invalidValue(`${field}.value`, value, valueErrors.join(';'))] : []),
    ...effectErrors(`${field}.effect`, effect),
  ];
}

function effectErrors(field: string, effect: string): FieldError[] {
  if (effect === '') return [required(field)];
  return TAINT_EFFECTS.includes(effect) ? [] : [notSupported(field, effect, TAINT_EFFECTS)];
}

/** A taint as messages show it: with Go's field names. */
function goTaint(taint: JsonValue): JsonObject {
  return {
    Key: textAt(taint, 'key'),
    Value: textAt(taint, 'value'),
    Effect: textAt(taint, 'effect'),
    TimeAdded: valueAt(taint, 'timeAdded') ?? null,
  };
}

function addressErrors(node: JsonObject): FieldError[] {
  const seen = new Set<string>();
  return listAt(node, 'status', 'addresses').flatMap((address, index) => {
    const shown = { Type: textAt(address, 'type'), Address: textAt(address, 'address') };
    const identity = JSON.stringify(shown);
    if (seen.has(identity)) return [duplicate(`status.addresses[${index}]`, shown)];
    seen.add(identity);
    return [];
  });
}

function podCidrChanges(node: JsonObject, current: JsonObject): FieldError[] {
  const before = listAt(current, 'spec', 'podCIDRs');
  const after = listAt(node, 'spec', 'podCIDRs');
  if (before.length === 0 || JSON.stringify(before) === JSON.stringify(after)) return [];
  return [forbiddenField('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid')];
}

/** Once set, a provider ID stays. */
function providerIdChanges(node: JsonObject, current: JsonObject): FieldError[] {
  const before = textAt(objectAt(current, 'spec'), 'providerID');
  if (before === '' || before === textAt(node, 'spec', 'providerID')) return [];
  return [forbiddenField('spec.providerID', 'node updates may not change providerID except from "" to valid')];
}
