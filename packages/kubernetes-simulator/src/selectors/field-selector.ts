import { badRequest } from '../errors.ts';

interface Requirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

export type FieldSelector = readonly Requirement[];

/**
 * Reads `metadata.name=web,spec.type!=ClusterIP`; a backslash escapes `,`, `=` and itself.
 * @param supported the fields that the resource can be selected by.
 * @throws ApiError BadRequest with the API server's words.
 */
export function parseFieldSelector(text: string, supported: readonly string[]): FieldSelector {
  const terms = text.split(/(?<!\\),/).filter((term) => term !== '');
  const requirements = terms.map((term) => parseTerm(term, text));
  for (const { field } of requirements) {
    if (!supported.includes(field)) throw badRequest(unsupported(field, supported));
  }
  return requirements;
}

export function matchesFields(selector: FieldSelector, fields: Readonly<Record<string, string>>): boolean {
  return selector.every(({ field, equal, value }) => ((fields[field] ?? '') === value) === equal);
}

/** The name that a selector pins, if it does: such a list is allowed to someone who may read that one object. */
export function pinnedName(selector: FieldSelector): string | undefined {
  return selector.find(({ field, equal }) => field === 'metadata.name' && equal)?.value;
}

/** kube-apiserver words it differently for resources that have only the fields that all have. */
function unsupported(field: string, supported: readonly string[]): string {
  if (supported.length > 2) return `field label not supported: ${field}`;
  return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

function parseTerm(term: string, whole: string): Requirement {
  const [, field, operator, value = ''] = /^(.*?)(!=|==|=)(.*)$/s.exec(term) ?? [];
  if (field === undefined) throw badRequest(`invalid selector: '${whole}'; can't understand '${term}'`);
  return { field, equal: operator !== '!=', value: value.replaceAll(/\\([\\,=])/g, '$1') };
}
