import { readFileSync } from 'node:fs';
import type { HttpAnswer } from '../transport/exchange.ts';

interface Recorded {
  readonly status: number;
  readonly body: unknown;
}

const ALL = JSON.parse(readFileSync(new URL('../fixtures/recorded.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Recorded>
>;

/** An answer that a real management server 4.20 gave, by command and case. */
export function recorded(name: string): HttpAnswer {
  const answer = ALL[name];
  if (!answer) throw new Error(`no recorded answer ${name}`);
  return {
    status: answer.status,
    contentType: 'application/json;charset=utf-8',
    body: JSON.stringify(answer.body),
  };
}
