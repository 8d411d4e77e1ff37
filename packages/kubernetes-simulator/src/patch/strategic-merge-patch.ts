import { isList, isObject, type JsonObject, type JsonValue, sameJson, without } from '../json.ts';
import type { ListSchema, Schema, StructSchema } from '../schema/schema.ts';
import { orderMerged } from './element-order.ts';
import { goFormat } from './go-format.ts';
import { PatchError } from './patch-error.ts';

const DIRECTIVE = '$patch';
const RETAIN_KEYS = '$retainKeys';
const ELEMENT_ORDER = '$setElementOrder/';
const DELETE_PRIMITIVES = '$deleteFromPrimitiveList/';

/**
 * Applies a strategic merge patch: lists merge by key where the type says so, and directives in the patch
 * (`$patch`, `$retainKeys`, `$setElementOrder/…`, `$deleteFromPrimitiveList/…`) steer it.
 * @throws PatchError when the patch contradicts itself or lacks a merge key.
 */
export function applyStrategicMergePatch(document: JsonObject, patch: JsonObject, schema: StructSchema): JsonObject {
  return mergeObject(document, patch, schema);
}

function mergeObject(original: JsonObject, patch: JsonObject, schema: Schema | undefined): JsonObject {
  const directive = patch[DIRECTIVE];
  if (directive === 'replace') return without(patch, DIRECTIVE);
  if (directive === 'delete') return {};
  if (directive !== undefined) throw unknownDirective(directive);
  const result: Record<string, JsonValue> = { ...retained(original, patch) };
  for (const key of fieldNames(patch)) {
    const merged = mergeField(result[key], patch, key, fieldSchema(schema, key));
    if (merged === undefined) delete result[key];
    else result[key] = merged;
  }
  return result;
}

/** The fields that a patch speaks of, directly or by a directive for one of them. */
function fieldNames(patch: JsonObject): Set<string> {
  const names = Object.keys(patch).map((key) => key.replace(ELEMENT_ORDER, '').replace(DELETE_PRIMITIVES, ''));
  return new Set(names.filter((name) => name !== RETAIN_KEYS));
}

function retained(original: JsonObject, patch: JsonObject): JsonObject {
  const kept = patch[RETAIN_KEYS];
  if (kept === undefined) return original;
  if (!isList(kept)) throw new PatchError('invalid patch format of retainKeys list');
  const stray = Object.keys(patch).find((key) => !key.startsWith('$') && patch[key] !== null && !kept.includes(key));
  if (stray !== undefined) throw new PatchError(`invalid patch format: ${stray} is not in the retainKeys list`);
  return without(original, ...Object.keys(original).filter((key) => !kept.includes(key)));
}

function mergeField(
  original: JsonValue | undefined,
  patch: JsonObject,
  key: string,
  schema: Schema | undefined,
): JsonValue | undefined {
  const given = patch[key];
  if (given === null) return undefined;
  const order = patch[ELEMENT_ORDER + key];
  const deleted = patch[DELETE_PRIMITIVES + key];
  if (isList(order) || isList(deleted) || isList(given)) {
    if (original !== undefined && !isList(original)) return given === undefined ? original : withoutDirectives(given);
    return mergeList({ original, given, order, deleted, schema });
  }
  if (given === undefined) return original;
  if (isObject(given) && isObject(original)) return mergeObject(original, given, schema);
  return withoutDirectives(given);
}

interface ListMerge {
  readonly original: readonly JsonValue[] | undefined;
  readonly given: JsonValue | undefined;
  readonly order: JsonValue | undefined;
  readonly deleted: JsonValue | undefined;
  readonly schema: Schema | undefined;
}

function mergeList({ original, given, order, deleted, schema }: ListMerge): JsonValue | undefined {
  const list = schema?.kind === 'list' && schema.patch === 'merge' ? schema : undefined;
  const mergeKey = list?.mergeKey;
  const gone = isList(deleted) ? deleted : [];
  const base = original?.filter((item) => !gone.some((other) => sameJson(item, other)));
  const merged = isList(given) ? mergeItems(base, given, list) : base;
  if (merged === undefined) return undefined;
  const wanted = isList(order) ? order : isList(given) && list && base ? given : undefined;
  if (!wanted || isReplaced(given)) return merged;
  return orderMerged({ merged, wanted, server: original ?? [], mergeKey });
}

/** `[…, {"$patch": "replace"}]` replaces a list that otherwise would merge. */
function isReplaced(given: JsonValue | undefined): boolean {
  return isList(given) && given.some((item) => directiveOf(item) === 'replace');
}

function mergeItems(
  original: readonly JsonValue[] | undefined,
  given: readonly JsonValue[],
  list: ListSchema | undefined,
): readonly JsonValue[] {
  if (!list || original === undefined) return withoutDirectives(given) as readonly JsonValue[];
  if (isReplaced(given)) return given.filter((item) => directiveOf(item) === undefined);
  if (list.mergeKey === undefined) return union(original, given);
  return mergeKeyed(original, given, list, list.mergeKey);
}

function mergeKeyed(
  original: readonly JsonValue[],
  given: readonly JsonValue[],
  list: ListSchema,
  mergeKey: string,
): readonly JsonValue[] {
  let result = original;
  for (const item of given) {
    const key = isObject(item) ? item[mergeKey] : undefined;
    if (!isObject(item) || key === undefined) {
      throw new PatchError(`map: ${goFormat(item)} does not contain declared merge key: ${mergeKey}`);
    }
    result = mergeOne(result, item, key, { list, mergeKey });
  }
  return result;
}

function mergeOne(
  original: readonly JsonValue[],
  item: JsonObject,
  key: JsonValue,
  { list, mergeKey }: { readonly list: ListSchema; readonly mergeKey: string },
): readonly JsonValue[] {
  const same = (other: JsonValue): boolean => isObject(other) && sameJson(other[mergeKey], key);
  const directive = item[DIRECTIVE];
  if (directive === 'delete') return original.filter((other) => !same(other));
  if (directive !== undefined) throw unknownDirective(directive);
  const at = original.findIndex(same);
  const found = original[at];
  if (!isObject(found)) return [...original, item];
  return original.with(at, mergeObject(found, item, list.items));
}

function union(original: readonly JsonValue[], given: readonly JsonValue[]): readonly JsonValue[] {
  const result: JsonValue[] = [];
  for (const item of [...original, ...given]) if (!result.some((other) => sameJson(other, item))) result.push(item);
  return result;
}

/** A part of the patch that is taken as it is: its directives have nothing to act on. */
function withoutDirectives(value: JsonValue): JsonValue | undefined {
  if (directiveOf(value) !== undefined) return undefined;
  if (isList(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  const result: Record<string, JsonValue> = {};
  for (const [key, item] of Object.entries(value)) {
    const kept = isDirective(key) || item === null ? undefined : withoutDirectives(item);
    if (kept !== undefined) result[key] = kept;
  }
  return result;
}

function isDirective(key: string): boolean {
  return key === RETAIN_KEYS || key.startsWith(ELEMENT_ORDER) || key.startsWith(DELETE_PRIMITIVES);
}

function directiveOf(value: JsonValue): JsonValue | undefined {
  return isObject(value) ? value[DIRECTIVE] : undefined;
}

function fieldSchema(schema: Schema | undefined, key: string): Schema | undefined {
  if (schema?.kind === 'struct') return schema.type.fields.get(key)?.schema;
  return schema?.kind === 'map' ? schema.values : undefined;
}

function unknownDirective(directive: JsonValue): PatchError {
  return new PatchError(`unknown patch type found: ${JSON.stringify(directive)}`);
}
