import { apiError, NotJsonError } from './errors.ts';
import type { HttpAnswer } from './transport/exchange.ts';

interface Question {
  readonly command: string;
  readonly host: string;
}

/**
 * What is inside the envelope of an answer. The envelope's own key is not looked at: CloudStack names it in odd ways
 * (`createLBStickinessPolicy`, `activaterojectresponse`), and differently for errors.
 * @throws NotJsonError when the answer is not CloudStack's, CloudStackApiError when CloudStack refused the command
 */
export function readAnswer({ command, host }: Question, answer: HttpAnswer): unknown {
  const content = envelopeContent(parse(answer.body));
  if (content === undefined) throw new NotJsonError({ command, host, ...answer });
  if (isRefusal(content)) {
    const { errorcode, cserrorcode, errortext } = content;
    const text = typeof errortext === 'string' ? errortext : 'no reason given';
    const csErrorCode = typeof cserrorcode === 'number' ? cserrorcode : 0;
    throw apiError({ command, errorCode: Number(errorcode), csErrorCode, text, jobId: undefined });
  }
  if (answer.status < 200 || answer.status > 299) throw new NotJsonError({ command, host, ...answer });
  return content;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The single top-level value of the answer; undefined if the answer is not built like that. */
function envelopeContent(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return undefined;
  const values = Object.values(answer) as unknown[];
  return values.length === 1 ? values[0] : undefined;
}

interface RefusalContent {
  readonly errorcode: unknown;
  readonly cserrorcode?: unknown;
  readonly errortext?: unknown;
}

function isRefusal(content: unknown): content is RefusalContent {
  return typeof content === 'object' && content !== null && 'errorcode' in content;
}
