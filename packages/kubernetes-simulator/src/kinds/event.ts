import { isObject, type JsonObject, numberAt, sameJson, textAt, valueAt } from '../json.ts';
import { type FieldError, invalidValue, required } from '../validation/field-errors.ts';
import { metadataErrors } from '../validation/metadata.ts';
import { qualifiedNameErrors, subdomainErrors } from '../validation/names.ts';
import type { RequestVersion, Strategy } from './strategy.ts';

const LIMITS = { reportingInstance: 128, action: 128, reason: 128, message: 1024 } as const;
const IMMUTABLE = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'type',
  'eventTime',
  'action',
  'related',
] as const;

export const eventStrategy: Strategy = {
  nameErrors: () => [],
  validate: (event, request) => [...legacyErrors(event, request), ...strictErrors(event, request)],
  validateUpdate: (event, current, request) => [
    ...legacyErrors(event, request),
    ...(isStrict(request) ? immutabilityErrors(event, current) : []),
  ],
  fields: eventFields,
  createOnUpdate: true,
};

/** The newer API asks more of a new event. */
function strictErrors(event: JsonObject, request: RequestVersion): FieldError[] {
  if (!isStrict(request)) return [];
  const type = textAt(event, 'type');
  const unset = ['firstTimestamp', 'lastTimestamp', 'count', 'source'].filter((key) => isSet(event, key));
  return [
    ...metadataErrors(event, subdomainErrors),
    ...seriesErrors(event),
    ...(textAt(event, 'eventTime') === '' ? [required('eventTime')] : []),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalidValue('type', '', `has invalid value: ${type}`)]),
    ...unset.map((key) => invalidValue(key, '', 'needs to be unset')),
  ];
}

function isStrict({ groupVersion }: RequestVersion): boolean {
  return groupVersion === 'events.k8s.io/v1';
}

function isSet(event: JsonObject, key: string): boolean {
  const value = event[key];
  return isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

function seriesErrors(event: JsonObject): FieldError[] {
  if (!isObject(event['series'])) return [];
  return [
    ...(numberAt(event, 'series', 'count') < 2 ? [invalidValue('series.count', '', 'should be at least 2')] : []),
    ...(textAt(event, 'series', 'lastObservedTime') === '' ? [required('series.lastObservedTime')] : []),
  ];
}

function legacyErrors(event: JsonObject, request: RequestVersion): FieldError[] {
  const own = textAt(event, 'metadata', 'namespace');
  const involved = textAt(event, 'involvedObject', 'namespace');
  const isNew = textAt(event, 'eventTime') !== '';
  const clusterWide = isNew ? ['default', 'kube-system'] : ['default'];
  const fits = involved === '' ? clusterWide.includes(own) : isNew || own === involved;
  return [
    ...(fits ? [] : [invalidValue('involvedObject.namespace', involved, 'does not match event.namespace')]),
    ...(isNew ? reporterErrors(event, request) : []),
  ];
}

function reporterErrors(event: JsonObject, request: RequestVersion): FieldError[] {
  const field = isStrict(request) ? 'reportingController' : 'reportingComponent';
  const controller = textAt(event, 'reportingComponent');
  const missing = (['reportingInstance', 'action', 'reason'] as const).filter((key) => textAt(event, key) === '');
  const long = Object.entries(LIMITS).filter(([key, limit]) => textAt(event, key).length > limit);
  return [
    ...(controller === '' ? [required(field)] : []),
    ...qualifiedNameErrors(controller).map((message) => invalidValue(field, controller, message)),
    ...missing.map((key) => required(key)),
    ...long.map(([key, limit]) => invalidValue(key, '', `can have at most ${limit} characters`)),
  ];
}

function immutabilityErrors(event: JsonObject, current: JsonObject): FieldError[] {
  const series = sameJson(event['series'], current['series']) ? [] : seriesErrors(event);
  const changed = IMMUTABLE.filter((key) => !sameJson(valueAt(event, key), valueAt(current, key)));
  return [...series, ...changed.map((key) => invalidValue(key, valueAt(event, key) ?? '', 'field is immutable'))];
}

function eventFields(event: JsonObject): Record<string, string> {
  const involved = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
  const reportingComponent = textAt(event, 'reportingComponent');
  return {
    ...Object.fromEntries(involved.map((key) => [`involvedObject.${key}`, textAt(event, 'involvedObject', key)])),
    reason: textAt(event, 'reason'),
    reportingComponent,
    source: textAt(event, 'source', 'component') || reportingComponent,
    type: textAt(event, 'type'),
  };
}
