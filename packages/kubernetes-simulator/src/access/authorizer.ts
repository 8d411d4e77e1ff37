import { type JsonObject, type JsonValue, listAt, textAt, textListAt } from '../json.ts';
import { parseStored } from '../store/stored-object.ts';
import type { Store } from '../store/store.ts';
import { ADMINISTRATORS, AUTHENTICATED, type PolicyRule, type User } from './user.ts';

/** What somebody wants to do. */
export type Attributes = ResourceAttributes | PathAttributes;

export interface ResourceAttributes {
  readonly kind: 'resource';
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty for what is cluster-wide, or for all namespaces at once. */
  readonly namespace: string;
  readonly name: string;
}

export interface PathAttributes {
  readonly kind: 'path';
  readonly verb: string;
  readonly path: string;
}

/** What a real cluster lets everyone do who is known to it. */
const BASIC_RULES: readonly PolicyRule[] = [
  {
    verbs: ['create'],
    apiGroups: ['authorization.k8s.io'],
    resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
  },
  { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
  {
    verbs: ['get'],
    nonResourceURLs: [
      '/api',
      '/api/*',
      '/apis',
      '/apis/*',
      '/healthz',
      '/livez',
      '/openapi',
      '/openapi/*',
      '/readyz',
      '/version',
      '/version/',
    ],
  },
];

/** RBAC: the rules given at start, and those of the roles and bindings in the API. */
export class Authorizer {
  readonly #store: Store;
  readonly #givenRules: (user: string) => readonly PolicyRule[];

  /** @param givenRules rules of a user that do not stand in the API. */
  constructor(store: Store, givenRules: (user: string) => readonly PolicyRule[]) {
    this.#store = store;
    this.#givenRules = givenRules;
  }

  allows(user: User, attributes: Attributes): boolean {
    if (user.groups.includes(ADMINISTRATORS)) return true;
    return this.rulesFor(user).some((rule) => covers(rule, attributes));
  }

  rulesFor(user: User): readonly PolicyRule[] {
    const basic = user.groups.includes(AUTHENTICATED) ? BASIC_RULES : [];
    return [...basic, ...this.#givenRules(user.name), ...this.#boundRules(user)];
  }

  #boundRules(user: User): PolicyRule[] {
    const everywhere = this.#objects('clusterrolebindings').flatMap((binding) => this.#rulesOf(binding, user, ''));
    const somewhere = this.#objects('rolebindings').flatMap((binding) => {
      const namespace = textAt(binding, 'metadata', 'namespace');
      return this.#rulesOf(binding, user, namespace).map((rule) => ({ ...rule, namespace }));
    });
    return [...everywhere, ...somewhere];
  }

  #rulesOf(binding: JsonObject, user: User, namespace: string): PolicyRule[] {
    if (!listAt(binding, 'subjects').some((subject) => isSubject(subject, user, namespace))) return [];
    const name = textAt(binding, 'roleRef', 'name');
    const isClusterRole = textAt(binding, 'roleRef', 'kind') === 'ClusterRole';
    const role = this.#store
      .collection(isClusterRole ? 'clusterroles' : 'roles')
      .get(isClusterRole ? name : `${namespace}/${name}`);
    return role ? listAt(parseStored(role), 'rules').map(readRule) : [];
  }

  #objects(resource: string): JsonObject[] {
    return this.#store.collection(resource).list().map(parseStored);
  }
}

/** Why an access was refused, in the words of RBAC. */
export function refusal(user: User, attributes: Attributes): string {
  const who = `User "${user.name}" cannot ${attributes.verb}`;
  if (attributes.kind === 'path') return `${who} path "${attributes.path}"`;
  const { group, resource, subresource, namespace } = attributes;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return `${who} resource "${what}" in API group "${group}" ${where}`;
}

function covers(rule: PolicyRule, attributes: Attributes): boolean {
  if (!includes(rule.verbs, attributes.verb)) return false;
  if (attributes.kind === 'path')
    return (rule.nonResourceURLs ?? []).some((pattern) => matchesPath(pattern, attributes.path));
  const { group, resource, subresource, namespace, name } = attributes;
  const names = rule.resourceNames ?? [];
  return (
    includes(rule.apiGroups ?? [], group) &&
    coversResource(rule.resources ?? [], resource, subresource) &&
    (names.length === 0 || names.includes(name)) &&
    (rule.namespace === undefined || rule.namespace === namespace)
  );
}

function coversResource(resources: readonly string[], resource: string, subresource: string): boolean {
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  return includes(resources, full) || (subresource !== '' && resources.includes(`*/${subresource}`));
}

function includes(list: readonly string[], item: string): boolean {
  return list.includes('*') || list.includes(item);
}

function matchesPath(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}

function isSubject(subject: JsonValue, user: User, bindingNamespace: string): boolean {
  const name = textAt(subject, 'name');
  switch (textAt(subject, 'kind')) {
    case 'User':
      return name === user.name;
    case 'Group':
      return user.groups.includes(name);
    case 'ServiceAccount':
      return user.name === `system:serviceaccount:${textAt(subject, 'namespace') || bindingNamespace}:${name}`;
    default:
      return false;
  }
}

function readRule(rule: JsonValue): PolicyRule {
  const list = (key: string): string[] => textListAt(rule, key);
  return {
    verbs: list('verbs'),
    apiGroups: list('apiGroups'),
    resources: list('resources'),
    resourceNames: list('resourceNames'),
    nonResourceURLs: list('nonResourceURLs'),
  };
}
