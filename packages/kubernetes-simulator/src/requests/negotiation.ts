import { notAcceptable } from '../errors.ts';
import type { IncludeObject } from '../table/table.ts';

/** The form in which a client wants objects. */
export type Representation =
  | { readonly form: 'object' }
  | { readonly form: 'metadata' }
  | { readonly form: 'table'; readonly include: IncludeObject };

interface MediaRange {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const AVAILABLE = ['application/json', 'application/json;stream=watch'];

/** @throws ApiError NotAcceptable when the client takes nothing that can be served. */
export function negotiate(accept: string | undefined, query: URLSearchParams): Representation {
  for (const range of mediaRanges(accept)) {
    const representation = isJson(range) ? representationOf(range, query) : undefined;
    if (representation) return representation;
  }
  throw notAcceptable(AVAILABLE);
}

/** True if the client prefers the discovery document that holds all groups at once. */
export function wantsAggregatedDiscovery(accept: string | undefined): boolean {
  const first = mediaRanges(accept).find((range) => isJson(range) && isKnown(range.parameters));
  return first?.parameters['as'] === 'APIGroupDiscoveryList';
}

export function mediaRanges(accept: string | undefined): MediaRange[] {
  return (accept || '*/*').split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const entries = parameters.map((parameter) => parameter.split('=')).map(([key = '', value = '']) => [key, value]);
    return { type: type.toLowerCase(), parameters: Object.fromEntries(entries) as Record<string, string> };
  });
}

function isJson({ type }: MediaRange): boolean {
  return type === 'application/json' || type === 'application/*' || type === '*/*';
}

function isKnown({ as, g, v }: MediaRange['parameters']): boolean {
  return as === undefined || (as === 'APIGroupDiscoveryList' && g === 'apidiscovery.k8s.io' && v === 'v2');
}

function representationOf({ parameters }: MediaRange, query: URLSearchParams): Representation | undefined {
  const { as, g } = parameters;
  if (as === undefined) return { form: 'object' };
  if (g !== 'meta.k8s.io') return undefined;
  if (as === 'Table') return { form: 'table', include: includeOf(query) };
  return as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList' ? { form: 'metadata' } : undefined;
}

function includeOf(query: URLSearchParams): IncludeObject {
  const include = query.get('includeObject');
  return include === 'None' || include === 'Object' ? include : 'Metadata';
}
