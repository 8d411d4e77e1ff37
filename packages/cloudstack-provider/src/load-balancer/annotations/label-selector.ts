import { bad, good, type Reading } from './problem.ts';

/** A condition on an object's labels, in the syntax of `kubectl --selector`. */
export interface LabelSelector {
  /** As the user wrote it. */
  readonly text: string;
  readonly requirements: readonly Requirement[];
}

interface Requirement {
  readonly key: string;
  readonly operator: 'in' | 'notin' | 'exists' | 'absent';
  readonly values: readonly string[];
}

const KEY = '(?:[A-Za-z0-9.-]+/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?';
const VALUE = '[-A-Za-z0-9_.]*';
const SET = new RegExp(`^(${KEY})\\s+(in|notin)\\s*\\(\\s*(${VALUE}(?:\\s*,\\s*${VALUE})*)\\s*\\)$`);
const EQUALITY = new RegExp(`^(${KEY})\\s*(==|=|!=)\\s*(${VALUE})$`);
const EXISTENCE = new RegExp(`^(!?)\\s*(${KEY})$`);

/** Reads `a=b, c!=d, e in (f, g), h notin (i), j, !k`. */
export function parseLabelSelector(text: string): Reading<LabelSelector> {
  const requirements: Requirement[] = [];
  for (const term of splitOutsideParentheses(text)) {
    const requirement = parseRequirement(term.trim());
    if (!requirement) return bad(`"${term.trim()}" is no condition of a label selector`);
    requirements.push(requirement);
  }
  return good({ text, requirements });
}

export function selects(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  return selector.requirements.every((requirement) => holds(requirement, labels[requirement.key]));
}

/** As in Kubernetes, `!=` and `notin` also hold where the label is missing. */
function holds(requirement: Requirement, label: string | undefined): boolean {
  switch (requirement.operator) {
    case 'exists':
      return label !== undefined;
    case 'absent':
      return label === undefined;
    case 'in':
      return label !== undefined && requirement.values.includes(label);
    case 'notin':
      return label === undefined || !requirement.values.includes(label);
  }
}

function parseRequirement(term: string): Requirement | undefined {
  const [, setKey, operator, list = ''] = SET.exec(term) ?? [];
  if (setKey) return { key: setKey, operator: operator === 'in' ? 'in' : 'notin', values: list.split(/\s*,\s*/) };
  const [, key, sign, value = ''] = EQUALITY.exec(term) ?? [];
  if (key) return { key, operator: sign === '!=' ? 'notin' : 'in', values: [value] };
  const [, not, plain] = EXISTENCE.exec(term) ?? [];
  return plain ? { key: plain, operator: not ? 'absent' : 'exists', values: [] } : undefined;
}

function splitOutsideParentheses(text: string): readonly string[] {
  return text.split(/,(?![^(]*\))/);
}
