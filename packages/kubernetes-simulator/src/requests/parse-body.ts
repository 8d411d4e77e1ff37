import { badRequest, unsupportedMediaType } from '../errors.ts';
import type { JsonValue } from '../json.ts';
import { openEnvelope, protobufToJson } from '../schema/protobuf.ts';
import type { StructSchema } from '../schema/schema.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const ACCEPTED = ['application/json', 'application/yaml', PROTOBUF];

/** A body as it came. */
export interface Body {
  readonly contentType: string;
  readonly bytes: Buffer;
}

export function mediaTypeOf(header: string | undefined): string {
  return (header ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** What a body should be. */
export interface Expected {
  readonly kind: string;
  readonly schema: StructSchema;
}

/** Reads a body of JSON, YAML or protobuf. @throws ApiError UnsupportedMediaType, BadRequest */
export async function parseBody({ contentType, bytes }: Body, { kind, schema }: Expected): Promise<JsonValue> {
  if (contentType !== '' && !ACCEPTED.includes(contentType)) throw unsupportedMediaType(ACCEPTED);
  if (contentType === PROTOBUF) return parseProtobuf(bytes, schema);
  try {
    return contentType === 'application/yaml' ? await parseYaml(bytes) : parseJson(bytes);
  } catch (thrown) {
    const text = bytes.toString();
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${syntaxProblem(text, thrown)}`,
    );
  }
}

function parseProtobuf(bytes: Buffer, schema: StructSchema): JsonValue {
  const { apiVersion, kind, raw } = openEnvelope(bytes);
  return { ...protobufToJson(raw, schema), apiVersion, kind };
}

export function parseJson(bytes: Buffer): JsonValue {
  return JSON.parse(bytes.toString()) as JsonValue;
}

/** YAML is JSON's superset, but its reader is only loaded when someone sends it. */
export async function parseYaml(bytes: Buffer): Promise<JsonValue> {
  const text = bytes.toString();
  if (text.trimStart().startsWith('{')) return JSON.parse(text) as JsonValue;
  const { parse } = await import('yaml');
  return parse(text) as JsonValue;
}

/** What is wrong with a text that is no JSON, in Go's words where they are known. */
export function goSyntaxProblem(text: string, thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return /end of JSON|Unterminated|after property|Expected/.test(message) || text === ''
    ? 'unexpected end of JSON input'
    : message;
}

function syntaxProblem(text: string, thrown: unknown): string {
  return `${goSyntaxProblem(text, thrown)} (${text === '' ? '<empty>' : text.slice(0, 64)})`;
}
