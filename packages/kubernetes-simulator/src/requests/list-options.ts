import { badRequest, invalid } from '../errors.ts';
import type { Resource } from '../kinds/resource.ts';
import { type FieldSelector, matchesFields, parseFieldSelector } from '../selectors/field-selector.ts';
import { type LabelSelector, matchesLabels, parseLabelSelector } from '../selectors/label-selector.ts';
import { emptyObject } from '../schema/decode.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { type FieldError, forbiddenField, notSupported } from '../validation/field-errors.ts';

/** Which objects of a resource a list or watch is about. */
export interface Selection {
  readonly namespace: string;
  /** For a watch of one object. */
  readonly name: string;
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
}

export interface ListOptions {
  readonly selection: Selection;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  /** 0: no limit. */
  readonly limit: number;
  readonly continue: string;
  readonly timeoutSeconds: number;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean;
}

interface Place {
  readonly namespace: string;
  readonly name: string;
  readonly verb: string;
}

/** @throws ApiError BadRequest or Invalid, in the API server's words. */
export function readListOptions(query: URLSearchParams, resource: Resource, place: Place): ListOptions {
  const text = (key: string): string => query.get(key) ?? '';
  const options: ListOptions = {
    selection: {
      namespace: resource.namespaced ? place.namespace : '',
      name: place.name,
      labels: parseLabelSelector(text('labelSelector')),
      fields: readFieldSelector(text('fieldSelector'), resource),
    },
    resourceVersion: text('resourceVersion'),
    resourceVersionMatch: text('resourceVersionMatch'),
    limit: integer(text('limit')),
    continue: text('continue'),
    timeoutSeconds: integer(text('timeoutSeconds')),
    allowWatchBookmarks: flag(text('allowWatchBookmarks')),
    sendInitialEvents: flag(text('sendInitialEvents')),
  };
  const errors = matchErrors(options, place.verb === 'watch');
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', resource: 'ListOptions' }, errors);
  return options;
}

export function isSelected(selection: Selection, object: StoredObject): boolean {
  return (
    (selection.namespace === '' || object.namespace === selection.namespace) &&
    (selection.name === '' || object.name === selection.name) &&
    matchesLabels(selection.labels, object.labels) &&
    matchesFields(selection.fields, object.fields)
  );
}

/** A revision to read at. @throws ApiError BadRequest when it is no number. */
export function readRevision(text: string): number {
  if (/^\d*$/.test(text)) return Number(text);
  throw badRequest(
    `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
  );
}

export function integer(text: string): number {
  if (text === '') return 0;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

export function flag(text: string): boolean {
  return text !== '' && text !== 'false' && text !== '0';
}

/** The fields that a resource can be selected by, under their stored names. */
function readFieldSelector(text: string, resource: Resource): FieldSelector {
  if (text === '') return [];
  const { strategy, conversion } = resource;
  const supported = [
    'metadata.name',
    'metadata.namespace',
    ...Object.keys(strategy.fields?.(emptyObject(resource.schema)) ?? {}),
  ];
  if (!conversion) return parseFieldSelector(text, supported);
  const served = supported.map(conversion.servedField);
  const selector = parseFieldSelector(text, served);
  return selector.map((requirement) => ({ ...requirement, field: conversion.storedField(requirement.field) }));
}

function matchErrors(options: ListOptions, isWatch: boolean): FieldError[] {
  const { resourceVersionMatch: match, resourceVersion, sendInitialEvents } = options;
  const field = 'resourceVersionMatch';
  if (isWatch) {
    if (sendInitialEvents && match !== 'NotOlderThan') {
      return [forbiddenField(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')];
    }
    const isAlone = match !== '' && !sendInitialEvents;
    return isAlone
      ? [forbiddenField(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')]
      : [];
  }
  if (sendInitialEvents) return [forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list')];
  if (match === '') return [];
  if (resourceVersion === '')
    return [forbiddenField(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided')];
  if (options.continue !== '')
    return [forbiddenField(field, 'resourceVersionMatch is forbidden when continue is provided')];
  if (match !== 'Exact' && match !== 'NotOlderThan') return [notSupported(field, match, ['Exact', 'NotOlderThan', ''])];
  if (match === 'Exact' && resourceVersion === '0') {
    return [forbiddenField(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')];
  }
  return [];
}
