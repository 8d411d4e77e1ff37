/** The rules of names, label keys and label values, with the texts of the API server. */

const NAME_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const VALUE_MESSAGE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const SUBDOMAIN_MESSAGE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_MESSAGE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

const NAME_PART = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** What is wrong with a label key, an annotation key or a finalizer: `[prefix/]name`. */
export function qualifiedNameErrors(text: string): string[] {
  const parts = text.split('/');
  if (parts.length > 2) {
    return [`a valid label key ${NAME_RULE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const name = parts.at(-1) ?? '';
  const prefix = parts.length === 2 ? parts[0] : undefined;
  return [...(prefix === undefined ? [] : prefixErrors(prefix)), ...namePartErrors(name)];
}

export function labelValueErrors(text: string): string[] {
  return checked(text, 63, VALUE, VALUE_MESSAGE);
}

/** RFC 1123 subdomain: the names of most objects. */
export function subdomainErrors(text: string): string[] {
  return checked(text, 253, SUBDOMAIN, SUBDOMAIN_MESSAGE);
}

/** RFC 1123 label: the names of namespaces and ports. */
export function dnsLabelErrors(text: string): string[] {
  return checked(text, 63, LABEL, SUBDOMAIN.test(text) ? 'must not contain dots' : LABEL_MESSAGE);
}

/** Names that become a segment of a path: those of roles and their bindings. */
export function pathSegmentErrors(text: string): string[] {
  if (text === '.' || text === '..') return [`may not be '${text}'`];
  return ['/', '%'].filter((part) => text.includes(part)).map((part) => `may not contain '${part}'`);
}

function prefixErrors(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  return subdomainErrors(prefix).map((message) => `prefix part ${message}`);
}

function namePartErrors(name: string): string[] {
  const errors = name === '' ? ['name part must be non-empty'] : [];
  if (name.length > 63) errors.push('name part must be no more than 63 bytes');
  if (!NAME_PART.test(name)) errors.push(`name part ${NAME_RULE}`);
  return errors;
}

function checked(text: string, limit: number, pattern: RegExp, message: string): string[] {
  const errors = Buffer.byteLength(text) > limit ? [`must be no more than ${limit} bytes`] : [];
  if (!pattern.test(text)) errors.push(message);
  return errors;
}
