import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type GoField, type GoFile, type GoType, parseGoTypes } from './go-types.ts';

/**
 * Writes `kubernetes.schema` from the Go sources of the Kubernetes API, which say more than its OpenAPI document does:
 * which fields are pointers and which are left out when empty.
 *
 * Usage: node src/schema/generate.ts "$(go env GOMODCACHE)" v0.36.3
 */
const ROOTS: Readonly<Record<string, readonly string[]>> = {
  'core/v1': ['ConfigMap', 'Event', 'Namespace', 'Node', 'Pod', 'Secret', 'Service', 'ServiceAccount'],
  'apps/v1': ['Deployment'],
  'authentication/v1': ['SelfSubjectReview', 'TokenRequest', 'TokenReview'],
  'authorization/v1': [
    'LocalSubjectAccessReview',
    'SelfSubjectAccessReview',
    'SelfSubjectRulesReview',
    'SubjectAccessReview',
  ],
  'coordination/v1': ['Lease'],
  'discovery/v1': ['EndpointSlice'],
  'events/v1': ['Event'],
  'meta/v1': ['DeleteOptions'],
  'rbac/v1': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
};

/** Go types that are one JSON value each. */
const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  bool: 'boolean',
  int32: 'int32',
  int64: 'int64',
  'meta/v1.Time': 'Time',
  'meta/v1.MicroTime': 'MicroTime',
  'meta/v1.FieldsV1': 'any',
  'k8s.io/apimachinery/pkg/api/resource.Quantity': 'Quantity',
  'k8s.io/apimachinery/pkg/runtime.RawExtension': 'any',
  'k8s.io/apimachinery/pkg/types.UID': 'string',
  'k8s.io/apimachinery/pkg/util/intstr.IntOrString': 'IntOrString',
};

class Generator {
  readonly #moduleCache: string;
  readonly #version: string;
  readonly #files = new Map<string, GoFile>();
  readonly #written = new Map<string, Map<string, string>>();

  constructor(moduleCache: string, version: string) {
    this.#moduleCache = moduleCache;
    this.#version = version;
  }

  generate(): string {
    for (const [group, kinds] of Object.entries(ROOTS)) for (const kind of kinds) this.#struct(group, kind);
    const sections = [...this.#written].sort(([a], [b]) => a.localeCompare(b));
    const body = sections.map(([group, types]) => `= ${group}\n${[...types.values()].join('')}`);
    return `# The shapes of the Kubernetes ${this.#version} API, generated from its Go types (Apache-2.0).\n${body.join('')}`;
  }

  #struct(group: string, name: string): void {
    const section = this.#written.get(group) ?? new Map<string, string>();
    this.#written.set(group, section);
    if (section.has(name)) return;
    section.set(name, '');
    const { markers, definition } = this.#declared(group, name);
    if (typeof definition === 'string') throw new Error(`${group}.${name} is no struct`);
    const atomic = markers.get('structType')?.[0] === 'atomic' ? ' atomic' : '';
    section.set(name, `${name}${atomic}\n${this.#fields(group, definition)}`);
  }

  /** @param within the protobuf number of the message that embedded fields are in; in JSON they are not. */
  #fields(group: string, fields: readonly GoField[], within = ''): string {
    return fields.map((field) => this.#field(group, field, within)).join('');
  }

  #field(group: string, field: GoField, within: string): string {
    if (field.jsonName === '') return this.#embedded(group, field);
    const omit = field.omitZero ? '!' : field.omitEmpty ? '?' : '';
    const number = field.protobufNumber && `#${within}${field.protobufNumber}`;
    const parts = [field.jsonName, this.#type(group, field.type) + omit, number, ...this.#attributes(field)];
    return `  ${parts.filter((part) => part !== '').join(' ')}\n`;
  }

  #embedded(group: string, field: GoField): string {
    const [owner, name] = this.#resolve(group, field.type);
    const { definition } = this.#declared(owner, name);
    const within = field.protobufNumber && `${field.protobufNumber}.`;
    return typeof definition === 'string' ? '' : this.#fields(owner, definition, within);
  }

  #attributes({ markers, patchStrategy, patchMergeKey }: GoField): string[] {
    const listType = markers.get('listType')?.[0];
    const attributes: string[] = [];
    if (listType === 'set') attributes.push('set');
    if (listType === 'map') attributes.push(`map(${(markers.get('listMapKey') ?? []).join(',')})`);
    if (markers.get('mapType')?.[0] === 'atomic' || markers.get('structType')?.[0] === 'atomic')
      attributes.push('atomic');
    if (patchStrategy.includes('merge')) attributes.push(patchMergeKey ? `merge(${patchMergeKey})` : 'merge');
    if (patchStrategy.includes('replace')) attributes.push('replace');
    if (patchStrategy.includes('retainKeys')) attributes.push('retainKeys');
    const fallback = markers.get('default')?.[0];
    if (fallback) attributes.push(`default(${fallback})`);
    return attributes;
  }

  #type(group: string, type: string): string {
    if (type.startsWith('*')) return `*${this.#type(group, type.slice(1))}`;
    if (type === '[]byte') return 'bytes';
    if (type.startsWith('[]')) return `[${this.#type(group, type.slice(2))}]`;
    if (type.startsWith('map[')) return `{${this.#type(group, type.slice(type.indexOf(']') + 1))}}`;
    return this.#named(group, type);
  }

  #named(group: string, type: string): string {
    const [owner, name] = this.#resolve(group, type);
    const scalar = SCALARS[type] ?? SCALARS[`${owner}.${name}`];
    if (scalar) return scalar;
    const { definition } = this.#declared(owner, name);
    if (typeof definition === 'string') return this.#type(owner, definition);
    this.#struct(owner, name);
    return owner === group ? name : `${owner}.${name}`;
  }

  /** The group that a type name as written in `group`'s file belongs to, and its bare name. */
  #resolve(group: string, type: string): [owner: string, name: string] {
    const [first = '', second] = type.split('.');
    if (second === undefined) return [group, first];
    const imported = this.#file(group).imports.get(first) ?? '';
    const own = /^k8s\.io\/(?:api|apimachinery\/pkg\/apis)\/(.+)$/.exec(imported)?.[1];
    return [own ?? imported, second];
  }

  #declared(group: string, name: string): GoType {
    const type = this.#file(group).types.get(name);
    if (!type) throw new Error(`${group} declares no ${name}`);
    return type;
  }

  #file(group: string): GoFile {
    const known = this.#files.get(group);
    if (known) return known;
    const inApi = `api@${this.#version}/${group}/types.go`;
    const inMachinery = `apimachinery@${this.#version}/pkg/apis/${group}/types.go`;
    const file = path.join(this.#moduleCache, 'k8s.io', group.startsWith('meta/') ? inMachinery : inApi);
    const parsed = parseGoTypes(readFileSync(file, 'utf8'));
    this.#files.set(group, parsed);
    return parsed;
  }
}

const [, , moduleCache = '', version = ''] = process.argv;
writeFileSync(path.join(import.meta.dirname, 'kubernetes.schema'), new Generator(moduleCache, version).generate());
