import { type JsonObject, listAt, numberAt, textAt, textsAt, valueAt, withValue } from '../json.ts';
import { type FieldError, invalidValue, required } from '../validation/field-errors.ts';
import { dnsLabelErrors, pathSegmentErrors, subdomainErrors } from '../validation/names.ts';
import { defaulted, type Strategy } from './strategy.ts';

/** Strategies of the kinds that need few rules of their own. */

export const leaseStrategy: Strategy = {
  nameErrors: subdomainErrors,
  validate: (lease) => {
    const seconds = valueAt(lease, 'spec', 'leaseDurationSeconds');
    const transitions = numberAt(lease, 'spec', 'leaseTransitions');
    return [
      ...(typeof seconds === 'number' && seconds <= 0
        ? [invalidValue('spec.leaseDurationSeconds', seconds, 'must be greater than 0')]
        : []),
      ...(transitions < 0
        ? [invalidValue('spec.leaseTransitions', transitions, 'must be greater than or equal to 0')]
        : []),
    ];
  },
  createOnUpdate: true,
  needsResourceVersion: true,
};

export const namespaceStrategy: Strategy = {
  nameErrors: dnsLabelErrors,
  // Selectors for namespaces rely on a label that says the name.
  defaults: (namespace) =>
    withValue(namespace, ['metadata', 'labels'], {
      ...textsAt(namespace, 'metadata', 'labels'),
      'kubernetes.io/metadata.name': textAt(namespace, 'metadata', 'name'),
    }),
  prepareForCreate: (namespace) => ({
    ...namespace,
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  }),
  prepareForUpdate: (namespace, current) =>
    withValue(namespace, ['spec', 'finalizers'], valueAt(current, 'spec', 'finalizers')),
  fields: (namespace) => ({
    name: textAt(namespace, 'metadata', 'name'),
    'status.phase': textAt(namespace, 'status', 'phase'),
  }),
};

export const configMapStrategy: Strategy = {
  nameErrors: subdomainErrors,
  validate: (configMap) => [...dataKeyErrors(configMap, 'data'), ...dataKeyErrors(configMap, 'binaryData')],
  validateUpdate: (configMap, current) => [
    ...dataKeyErrors(configMap, 'data'),
    ...immutableDataErrors(configMap, current),
  ],
};

export const secretStrategy: Strategy = {
  nameErrors: subdomainErrors,
  defaults: (secret) => withPlainTexts(defaulted(secret, 'type', 'Opaque')),
  validate: (secret) => dataKeyErrors(secret, 'data'),
  validateUpdate: (secret, current) => [
    ...(textAt(secret, 'type') === textAt(current, 'type')
      ? []
      : [invalidValue('type', textAt(secret, 'type'), 'field is immutable')]),
    ...immutableDataErrors(secret, current),
  ],
  fields: (secret) => ({ type: textAt(secret, 'type') }),
};

export const serviceAccountStrategy: Strategy = { nameErrors: subdomainErrors, returnsDeleted: true };

export const endpointSliceStrategy: Strategy = {
  nameErrors: subdomainErrors,
  validate: (slice) => (textAt(slice, 'addressType') === '' ? [required('addressType')] : []),
  validateUpdate: (slice, current) =>
    textAt(slice, 'addressType') === textAt(current, 'addressType')
      ? []
      : [invalidValue('addressType', textAt(slice, 'addressType'), 'field is immutable')],
  countsGenerations: true,
};

export const roleStrategy: Strategy = { nameErrors: pathSegmentErrors, createOnUpdate: true };

export const roleBindingStrategy: Strategy = {
  nameErrors: pathSegmentErrors,
  defaults: (binding) => withSubjectGroups(binding),
  validateUpdate: (binding, current) => {
    const [before, after] = [valueAt(current, 'roleRef'), valueAt(binding, 'roleRef')];
    return JSON.stringify(before) === JSON.stringify(after)
      ? []
      : [invalidValue('roleRef', after, 'cannot change roleRef')];
  },
  createOnUpdate: true,
};

/** `stringData` is a convenience for writing: it ends up in `data`. */
function withPlainTexts(secret: JsonObject): JsonObject {
  const texts = Object.entries(textsAt(secret, 'stringData'));
  if (texts.length === 0) return secret;
  const encoded = texts.map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  const data = { ...textsAt(secret, 'data'), ...(Object.fromEntries(encoded) as Record<string, string>) };
  return withValue({ ...secret, data }, ['stringData'], undefined);
}

function dataKeyErrors(object: JsonObject, field: string): FieldError[] {
  const message =
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
  const keys = Object.keys(textsAt(object, field)).sort();
  return keys
    .filter((key) => !/^[-._a-zA-Z0-9]+$/.test(key))
    .map((key) => invalidValue(`${field}[${key}]`, key, message));
}

function immutableDataErrors(object: JsonObject, current: JsonObject): FieldError[] {
  if (valueAt(current, 'immutable') !== true) return [];
  const changed = ['data', 'binaryData'].filter(
    (key) => JSON.stringify(valueAt(object, key)) !== JSON.stringify(valueAt(current, key)),
  );
  const forbidden = (field: string): FieldError => ({
    reason: 'FieldValueForbidden',
    message: 'Forbidden: field is immutable when `immutable` is set',
    field,
  });
  return [...(valueAt(object, 'immutable') === true ? [] : ['immutable']), ...changed].map(forbidden);
}

function withSubjectGroups(binding: JsonObject): JsonObject {
  const group = (kind: string): string => (kind === 'ServiceAccount' ? '' : 'rbac.authorization.k8s.io');
  const subjects = listAt(binding, 'subjects').map((subject) =>
    textAt(subject, 'apiGroup') === '' && group(textAt(subject, 'kind')) !== ''
      ? { ...(subject as JsonObject), apiGroup: group(textAt(subject, 'kind')) }
      : subject,
  );
  return subjects.length === 0 ? binding : { ...binding, subjects };
}
