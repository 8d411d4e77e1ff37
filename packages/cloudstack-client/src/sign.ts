import { createHmac } from 'node:crypto';
import type { Secret } from '@cloudstack-ccm/base';
import type { WireParams } from './params.ts';

/** The keys of one CloudStack user. */
export interface Credentials {
  readonly apiKey: Secret;
  readonly secretKey: Secret;
}

/**
 * How long a signed call stays valid. Servers that enforce timestamps allow about 15 minutes; ten leave room for clocks
 * that differ, either way.
 */
const VALID_MS = 10 * 60_000;

/**
 * The query string, or the form, of a signed call.
 * @param now wall time in milliseconds: CloudStack compares the expiry with its own clock.
 */
export function signedForm(command: string, params: WireParams, credentials: Credentials, now: number): string {
  const all = new Map(params);
  all.set('command', command);
  all.set('response', 'json');
  all.set('apiKey', credentials.apiKey.reveal());
  all.set('signatureversion', '3');
  all.set('expires', new Date(now + VALID_MS).toISOString().replace(/\.\d+Z$/, 'Z'));
  const form = [...all].map(([name, value]) => `${encodeURIComponent(name)}=${encodeValue(value)}`).join('&');
  return `${form}&signature=${encodeURIComponent(signature(stringToSign(all), credentials.secretKey))}`;
}

/**
 * What is signed: sorted by the name as it is written, by code unit and before lower-casing, with names unencoded and
 * values encoded, and then all of it in lower case.
 */
export function stringToSign(params: WireParams): string {
  return [...params]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${name}=${encodeValue(value)}`)
    .join('&')
    .toLowerCase();
}

export function signature(text: string, secretKey: Secret): string {
  return createHmac('sha1', secretKey.reveal()).update(text, 'utf8').digest('base64');
}

/** As Java's URLEncoder writes it, with `%20` for a blank: `encodeURIComponent` leaves `! ' ( ) ~` as they are. */
function encodeValue(value: string): string {
  return encodeURIComponent(value).replaceAll(
    /[!'()~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
