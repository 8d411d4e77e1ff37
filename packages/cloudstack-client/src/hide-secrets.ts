const HIDDEN = '<redacted>';

/** Those of other requests too. */
const NAMED = /\b(apikey|signature|sessionkey)=(?!<redacted>)[^&\s"'<>]+/gi;

/** An answer that repeats the request is short; a list need not be searched. */
const LONGEST = 64 * 1024;

/**
 * The text of an answer without the secrets of its request: gateways and error pages repeat the URL that they refuse, and
 * what a refusal says goes into logs and events.
 */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  if (text.length > LONGEST) return text;
  const forms = new Set(secrets.flatMap(formsOf));
  const named = text.replaceAll(NAMED, `$1=${HIDDEN}`);
  return [...forms].reduce((shown, form) => shown.replaceAll(form, HIDDEN), named);
}

/** As it is, in a URL, and in lower case, as CloudStack signs it. */
function formsOf(secret: string): readonly string[] {
  if (secret === '') return [];
  const encoded = encodeURIComponent(secret);
  return [secret, encoded, secret.toLowerCase(), encoded.toLowerCase()];
}
