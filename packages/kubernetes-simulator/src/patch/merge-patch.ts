import { isObject, type JsonObject, type JsonValue } from '../json.ts';

/** Applies an RFC 7396 merge patch: objects merge, null removes, anything else replaces. */
export function applyMergePatch(document: JsonValue, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch;
  const result: Record<string, JsonValue> = isObject(document) ? { ...document } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = applyMergePatch(result[key] ?? null, value);
  }
  return result satisfies JsonObject;
}
