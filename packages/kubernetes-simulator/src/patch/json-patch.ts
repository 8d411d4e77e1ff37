import { isList, isObject, type JsonObject, type JsonValue, sameJson, without } from '../json.ts';
import { PatchError } from './patch-error.ts';

interface Operation {
  readonly op: string;
  readonly path: readonly string[];
  readonly from: readonly string[] | undefined;
  readonly value: JsonValue | undefined;
}

/** Applies an RFC 6902 patch. @throws PatchError when a step does not fit the document. */
export function applyJsonPatch(document: JsonValue, patch: readonly JsonValue[]): JsonValue {
  return patch.map(parseOperation).reduce(applyOperation, document);
}

function parseOperation(step: JsonValue): Operation {
  const { op, path, from, value } = isObject(step) ? step : {};
  if (typeof op !== 'string' || typeof path !== 'string') throw new PatchError('a step needs op and path');
  return { op, path: pointer(path), from: typeof from === 'string' ? pointer(from) : undefined, value };
}

/** The keys of a JSON pointer (RFC 6901). */
function pointer(text: string): string[] {
  return text
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function applyOperation(document: JsonValue, { op, path, from, value }: Operation): JsonValue {
  switch (op) {
    case 'add':
      return add(document, path, value ?? null);
    case 'replace':
      return replace(document, path, value ?? null);
    case 'remove':
      return remove(document, path);
    case 'move':
      return add(remove(document, from ?? []), path, get(document, from ?? []));
    case 'copy':
      return add(document, path, get(document, from ?? []));
    case 'test':
      if (sameJson(get(document, path), value ?? null)) return document;
      throw new PatchError(`testing value /${path.join('/')} failed`);
    default:
      throw new PatchError(`unexpected kind: ${op}`);
  }
}

function get(document: JsonValue, path: readonly string[]): JsonValue {
  return path.reduce((value, key) => child(value, key), document);
}

function child(value: JsonValue, key: string): JsonValue {
  const found = isList(value) ? value[indexOf(key, value.length - 1)] : isObject(value) ? value[key] : undefined;
  if (found === undefined) throw new PatchError(`the path has no ${key}`);
  return found;
}

function add(document: JsonValue, path: readonly string[], value: JsonValue): JsonValue {
  return edit(document, path, value, (list, key) => {
    const at = key === '-' ? list.length : indexOf(key, list.length);
    return list.toSpliced(at, 0, value);
  });
}

function replace(document: JsonValue, path: readonly string[], value: JsonValue): JsonValue {
  get(document, path);
  return edit(document, path, value, (list, key) => list.with(indexOf(key, list.length - 1), value));
}

function remove(document: JsonValue, path: readonly string[]): JsonValue {
  get(document, path);
  return edit(document, path, undefined, (list, key) => list.toSpliced(indexOf(key, list.length - 1), 1));
}

type EditList = (list: readonly JsonValue[], key: string) => readonly JsonValue[];

function edit(document: JsonValue, path: readonly string[], value: JsonValue | undefined, inList: EditList): JsonValue {
  const [key, ...rest] = path;
  if (key === undefined) return value ?? null;
  if (rest.length > 0) return withChild(document, key, edit(child(document, key), rest, value, inList));
  if (isList(document)) return inList(document, key);
  if (!isObject(document)) throw new PatchError(`the path ends in a value at ${key}`);
  return value === undefined ? without(document, key) : { ...document, [key]: value };
}

function withChild(document: JsonValue, key: string, value: JsonValue): JsonValue {
  if (isList(document)) return document.with(indexOf(key, document.length - 1), value);
  return { ...(document as JsonObject), [key]: value };
}

function indexOf(key: string, last: number): number {
  const index = Number(key);
  if (!/^(0|[1-9]\d*)$/.test(key) || index > last) throw new PatchError(`invalid index ${key}`);
  return index;
}
