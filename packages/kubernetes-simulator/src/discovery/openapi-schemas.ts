import type { JsonObject, JsonValue } from '../json.ts';
import { resources } from '../kinds/resources.ts';
import type { Resource } from '../kinds/resource.ts';
import type { Field, ListSchema, ScalarName, Schema, StructType } from '../schema/schema.ts';

/** The types that some resources are made of, as OpenAPI schemas under the names of the real documents. */
export function openApiSchemas(served: readonly Resource[], refPrefix: string): JsonObject {
  const writer = new SchemaWriter(refPrefix);
  for (const resource of served) writer.kind(resource);
  return Object.fromEntries([...writer.schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `core/v1.Service` is `io.k8s.api.core.v1.Service`. */
export function openApiName(type: StructType): string {
  const prefix = type.name.startsWith('meta/') ? 'io.k8s.apimachinery.pkg.apis.' : 'io.k8s.api.';
  return prefix + type.name.replace('/', '.');
}

class SchemaWriter {
  readonly schemas = new Map<string, JsonValue>();
  readonly #refPrefix: string;

  constructor(refPrefix: string) {
    this.#refPrefix = refPrefix;
  }

  kind({ schema, group, version, kind }: Resource): void {
    this.#struct(schema.type);
    const name = openApiName(schema.type);
    const gvk = { 'x-kubernetes-group-version-kind': [{ group, version, kind }] };
    this.schemas.set(name, { ...(this.schemas.get(name) as JsonObject), ...gvk });
  }

  #struct(type: StructType): void {
    const name = openApiName(type);
    if (this.schemas.has(name)) return;
    this.schemas.set(name, {});
    const fields = [...type.fields.values()];
    const required = fields.filter(({ omit }) => omit === 'never').map((field) => field.name);
    this.schemas.set(name, {
      type: 'object',
      ...(required.length > 0 && { required }),
      properties: Object.fromEntries(fields.map((field) => [field.name, this.#field(field)])),
    });
  }

  #field({ schema, fallback }: Field): JsonObject {
    return { ...this.#schema(schema), ...(fallback !== undefined && { default: fallback }) };
  }

  #schema(schema: Schema): JsonObject {
    switch (schema.kind) {
      case 'scalar':
        return scalar(schema.scalar);
      case 'list':
        return { type: 'array', items: this.#schema(schema.items), ...listRules(schema) };
      case 'map':
        return {
          type: 'object',
          additionalProperties: this.#schema(schema.values),
          ...(schema.atomic && { 'x-kubernetes-map-type': 'atomic' }),
        };
      case 'struct':
        this.#struct(schema.type);
        return {
          allOf: [{ $ref: `${this.#refPrefix}${openApiName(schema.type)}` }],
          ...(schema.atomic && { 'x-kubernetes-map-type': 'atomic' }),
        };
    }
  }
}

function listRules({ listType, keys, patch, mergeKey }: ListSchema): JsonObject {
  return {
    'x-kubernetes-list-type': listType,
    ...(listType === 'map' && { 'x-kubernetes-list-map-keys': keys }),
    ...(patch === 'merge' && { 'x-kubernetes-patch-strategy': 'merge' }),
    ...(mergeKey !== undefined && { 'x-kubernetes-patch-merge-key': mergeKey }),
  };
}

function scalar(name: ScalarName): JsonObject {
  switch (name) {
    case 'string':
    case 'Quantity':
      return { type: 'string' };
    case 'boolean':
      return { type: 'boolean' };
    case 'int32':
    case 'int64':
      return { type: 'integer', format: name };
    case 'bytes':
      return { type: 'string', format: 'byte' };
    case 'Time':
    case 'MicroTime':
      return { type: 'string', format: 'date-time' };
    case 'IntOrString':
      return { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] };
    case 'any':
      return { type: 'object' };
  }
}

/** The resources of one group and version. */
export function servedBy(group: string, version: string): readonly Resource[] {
  return resources.filter((resource) => resource.group === group && resource.version === version);
}
