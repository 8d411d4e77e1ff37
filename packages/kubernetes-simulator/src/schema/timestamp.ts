const RFC3339 = /^(\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2})(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** `metav1.Time` as the API server writes it: UTC, whole seconds. Undefined if the text is no RFC 3339 time. */
export function canonicalTime(text: string): string | undefined {
  const parsed = parse(text);
  return parsed && `${parsed.seconds}Z`;
}

/** `metav1.MicroTime` as the API server writes it: UTC, and exactly six decimals, given and written. */
export function canonicalMicroTime(text: string): string | undefined {
  const parsed = parse(text);
  return parsed?.fraction.length === 6 ? `${parsed.seconds}.${parsed.fraction}Z` : undefined;
}

/** Go's words for a text that is no time of a layout. */
export function timeProblem(text: string, layout: string): string {
  const decimals = /\.0+/.exec(layout)?.[0];
  const isTime = decimals !== undefined && parse(text) !== undefined;
  const [rest, wanted] = isTime ? [text.slice(19), decimals] : [text, '2006'];
  return `parsing time "${text}" as "${layout}": cannot parse "${rest}" as "${wanted}"`;
}

/** Milliseconds since the epoch as `metav1.Time`. */
export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

function parse(text: string): { seconds: string; fraction: string } | undefined {
  const [, seconds, fraction = '', zone = ''] = RFC3339.exec(text) ?? [];
  if (seconds === undefined) return undefined;
  const ms = Date.parse(`${seconds}${zone}`.toUpperCase());
  if (Number.isNaN(ms)) return undefined;
  return { seconds: new Date(ms).toISOString().slice(0, 19), fraction: fraction.slice(1) };
}
