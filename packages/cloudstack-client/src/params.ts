import { InvalidInputError, Secret } from '@cloudstack-ccm/base';

type Scalar = string | number | boolean | Secret;

/** A parameter: a value, a list of values, or CloudStack's map, such as `tags[0].key=…&tags[0].value=…`. */
export type ParamValue = Scalar | readonly Scalar[] | readonly Readonly<Record<string, string>>[];

/** The parameters of a command by name. CloudStack reads names in any case; undefined ones are not sent. */
export type Params = Readonly<Record<string, ParamValue | undefined>>;

/** Parameters as they go on the wire: text by lower-case name. */
export type WireParams = ReadonlyMap<string, string>;

/**
 * Writes parameters as CloudStack reads them.
 * @throws InvalidInputError for a list element with a comma: CloudStack has no way to escape it.
 */
export function toWire(params: Params): WireParams {
  const wire = new Map<string, string>();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) write(wire, name.toLowerCase(), value);
  }
  return wire;
}

function write(wire: Map<string, string>, name: string, value: ParamValue): void {
  if (!isList(value)) {
    wire.set(name, text(value));
    return;
  }
  if (!value.some(isEntry)) {
    wire.set(name, value.map((element) => listElement(name, element)).join(','));
    return;
  }
  value.forEach((entry, index) => {
    for (const [key, part] of Object.entries(entry)) wire.set(`${name}[${index}].${key}`, String(part));
  });
}

function isList(value: ParamValue): value is Exclude<ParamValue, Scalar> {
  return Array.isArray(value);
}

function isEntry(element: unknown): boolean {
  return typeof element === 'object' && !(element instanceof Secret);
}

function listElement(name: string, element: unknown): string {
  const written = String(element);
  if (written.includes(',')) throw new InvalidInputError(`an element of the list ${name} holds a comma: ${written}`);
  return written;
}

function text(value: Scalar): string {
  return value instanceof Secret ? value.reveal() : String(value);
}
