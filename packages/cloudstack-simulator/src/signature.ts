import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The signature of a request: every parameter but the signature itself, sorted by raw name, values encoded as Java's
 * URLEncoder does, joined, lower-cased, HMAC-SHA1, Base64.
 */
export function sign(parameters: ReadonlyMap<string, string>, secretKey: string): string {
  const text = [...parameters.keys()]
    .filter((name) => name !== 'signature')
    .sort()
    .map((name) => `${name}=${encode(parameters.get(name) ?? '')}`)
    .join('&')
    .toLowerCase();
  return createHmac('sha1', secretKey).update(text).digest('base64');
}

/** True if the signature is exactly the right one; takes as long for a wrong one. */
export function verify(parameters: ReadonlyMap<string, string>, secretKey: string, signature: string): boolean {
  const [right, given] = [Buffer.from(sign(parameters, secretKey)), Buffer.from(signature)];
  return right.length === given.length && timingSafeEqual(right, given);
}

function encode(value: string): string {
  return encodeURIComponent(value).replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

const EXPIRES = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/;

/** The moment an `expires` parameter names, in milliseconds since the epoch; undefined if it is none the server reads. */
export function parseExpires(text: string | undefined): number | undefined {
  if (text === undefined || !EXPIRES.test(text)) return undefined;
  const time = Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(time) ? undefined : time;
}
