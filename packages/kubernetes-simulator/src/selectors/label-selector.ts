import { badRequest } from '../errors.ts';
import { invalidValue } from '../validation/field-errors.ts';
import { labelValueErrors, qualifiedNameErrors } from '../validation/names.ts';
import { type Token, tokenize } from './tokens.ts';

type Labels = Readonly<Record<string, string>>;

/** One condition of a selector on one label. */
interface Requirement {
  readonly key: string;
  readonly operator: 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';
  readonly values: readonly string[];
}

export type LabelSelector = readonly Requirement[];

/**
 * Reads `app=web,tier in (a,b),!legacy` as kubectl and the API server do.
 * @throws ApiError BadRequest with the API server's words.
 */
export function parseLabelSelector(text: string): LabelSelector {
  const parser = new Parser(tokenize(text));
  return parser.selector();
}

export function matchesLabels(selector: LabelSelector, labels: Labels): boolean {
  return selector.every((requirement) => matches(requirement, labels[requirement.key]));
}

function matches({ operator, values }: Requirement, value: string | undefined): boolean {
  switch (operator) {
    case 'in':
      return value !== undefined && values.includes(value);
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case 'gt':
      return /^-?\d+$/.test(value ?? '') && Number(value) > Number(values[0]);
    case 'lt':
      return /^-?\d+$/.test(value ?? '') && Number(value) < Number(values[0]);
  }
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  selector(): LabelSelector {
    const requirements: Requirement[] = [];
    if (this.#peek().kind === 'end') return requirements;
    for (;;) {
      if (this.#peek().kind !== 'word' && this.#peek().kind !== '!')
        throw this.#unexpected("!, identifier, or 'end of string'");
      requirements.push(this.#requirement());
      const { kind, text } = this.#take();
      if (kind === 'end') return requirements;
      if (kind !== ',') throw badRequest(`found '${text}', expected: ',' or 'end of string'`);
    }
  }

  #requirement(): Requirement {
    const negated = this.#peek().kind === '!';
    if (negated) this.#take();
    const key = this.#take().text;
    check('<nil>', key, qualifiedNameErrors(key));
    const follows = this.#peek();
    if (negated || follows.kind === ',' || follows.kind === 'end')
      return { key, operator: negated ? '!' : 'exists', values: [] };
    return this.#comparison(key);
  }

  #comparison(key: string): Requirement {
    const { kind, text } = this.#take();
    if (kind === 'word' && (text === 'in' || text === 'notin')) return { key, operator: text, values: this.#set(key) };
    if (kind === '=' || kind === '==') return { key, operator: 'in', values: [this.#value(key)] };
    if (kind === '!=') return { key, operator: 'notin', values: [this.#value(key)] };
    if (kind === '>' || kind === '<') return { key, operator: kind === '>' ? 'gt' : 'lt', values: [this.#number()] };
    throw requirementError(`found '${text}', expected: in, notin, =, ==, !=, gt, lt`);
  }

  #set(key: string): string[] {
    if (this.#take().kind !== '(')
      throw requirementError(`found '${this.#tokens[this.#next - 1]?.text ?? ''}', expected: '('`);
    const values = new Set<string>();
    for (;;) {
      values.add(this.#peek().kind === 'word' ? this.#value(key) : '');
      const { kind, text } = this.#take();
      if (kind === ')') return [...values].sort();
      if (kind !== ',') throw requirementError(`found '${text}', expected: ',' or ')'`);
    }
  }

  #value(key: string): string {
    const value = this.#peek().kind === 'word' ? this.#take().text : '';
    check(`values[0][${key}]`, value, labelValueErrors(value));
    return value;
  }

  #number(): string {
    const { text } = this.#take();
    if (!/^-?\d+$/.test(text)) check('values[0]', text, ["for 'Gt', 'Lt' operators, the value must be an integer"]);
    return text;
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? { kind: 'end', text: '' };
  }

  #take(): Token {
    const token = this.#peek();
    this.#next++;
    return token;
  }

  #unexpected(expected: string): Error {
    return badRequest(`found '${this.#peek().text}', expected: ${expected}`);
  }
}

function check(field: string, value: string, errors: readonly string[]): void {
  if (errors.length === 0) return;
  const { message } = invalidValue(field, value, errors.join('; '));
  throw requirementError(`${field}: ${message}`);
}

function requirementError(message: string): Error {
  return badRequest(`unable to parse requirement: ${message}`);
}
