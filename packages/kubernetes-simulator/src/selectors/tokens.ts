export interface Token {
  readonly kind: 'word' | '(' | ')' | ',' | '!' | '=' | '==' | '!=' | '>' | '<' | 'end';
  readonly text: string;
}

const TOKEN = /\s*(?:(==|!=|[(),!=<>])|([^\s(),!=<>]+))/gy;

/** Cuts a label selector into words and signs. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const [, sign, word] of text.matchAll(TOKEN)) {
    tokens.push(word === undefined ? { kind: sign as Token['kind'], text: sign ?? '' } : { kind: 'word', text: word });
  }
  return tokens;
}
