import type { ApiError } from './api-error.ts';
import type { Json, JsonObject } from './json.ts';

/** Too large for a number of JavaScript: it goes out as text and loses its quotes on the way. */
const SERIAL = '-7514266713085362352';

export type Format = 'json' | 'xml';

export const CONTENT_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json;charset=utf-8',
  xml: 'text/xml;charset=utf-8',
};

/** An answer as text. */
export function serialise(format: Format, envelope: string, content: JsonObject, version: string): string {
  if (format === 'json') return JSON.stringify({ [envelope]: content }).replaceAll(`"${SERIAL}"`, SERIAL);
  return `<?xml version="1.0" encoding="UTF-8"?><${envelope} cloud-stack-version="${version}">${fields(content)}</${envelope}>`;
}

/** The body of an error. The serial number in `uuidList` is that of the Java class behind it. */
export function errorContent(error: ApiError): JsonObject {
  return {
    uuidList: error.uuids.map((entry) => ({ serialVersionUID: SERIAL, ...entry })),
    errorcode: error.status,
    cserrorcode: error.reason,
    errortext: error.message === '' ? undefined : error.message,
  };
}

/** In XML a list is its items one after the other, and an empty one is nothing. */
function fields(content: JsonObject): string {
  return Object.entries(content)
    .map(([name, value]) => element(name, value))
    .join('');
}

function element(name: string, value: Json): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map((item: Json) => element(name, item)).join('');
  const inner = typeof value === 'object' ? fields(value as JsonObject) : escape(String(value));
  return `<${name}>${inner}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
