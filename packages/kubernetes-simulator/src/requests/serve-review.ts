import type { Authenticator } from '../access/authenticator.ts';
import type { Attributes, Authorizer } from '../access/authorizer.ts';
import { AUTHENTICATED, type PolicyRule, type User } from '../access/user.ts';
import { badRequest, invalid } from '../errors.ts';
import { isObject, type JsonObject, textAt, textListAt, valueAt } from '../json.ts';
import { formatTime } from '../schema/timestamp.ts';
import { type FieldError, invalidValue } from '../validation/field-errors.ts';

export interface ReviewContext {
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly user: User;
  readonly now: number;
}

/** Questions about access: resources that are asked, not kept. */
export interface ReviewKind {
  readonly group: string;
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Makes the answer out of the question. @throws ApiError */
  readonly answer: (review: JsonObject, context: ReviewContext) => JsonObject;
}

const AUTHENTICATION = 'authentication.k8s.io';
const AUTHORIZATION = 'authorization.k8s.io';

export const reviewKinds: readonly ReviewKind[] = [
  { group: AUTHENTICATION, name: 'selfsubjectreviews', kind: 'SelfSubjectReview', namespaced: false, answer: whoAmI },
  { group: AUTHENTICATION, name: 'tokenreviews', kind: 'TokenReview', namespaced: false, answer: reviewToken },
  {
    group: AUTHORIZATION,
    name: 'localsubjectaccessreviews',
    kind: 'LocalSubjectAccessReview',
    namespaced: true,
    answer: (review, context) => reviewAccess(review, context, subjectOf(review)),
  },
  {
    group: AUTHORIZATION,
    name: 'selfsubjectaccessreviews',
    kind: 'SelfSubjectAccessReview',
    namespaced: false,
    answer: (review, context) => reviewAccess(review, context, context.user),
  },
  {
    group: AUTHORIZATION,
    name: 'selfsubjectrulesreviews',
    kind: 'SelfSubjectRulesReview',
    namespaced: false,
    answer: reviewRules,
  },
  {
    group: AUTHORIZATION,
    name: 'subjectaccessreviews',
    kind: 'SubjectAccessReview',
    namespaced: false,
    answer: (review, context) => reviewAccess(review, context, subjectOf(review)),
  },
];

function whoAmI(review: JsonObject, { user, now }: ReviewContext): JsonObject {
  return { ...review, metadata: { creationTimestamp: formatTime(now) }, status: { userInfo: userInfo(user) } };
}

function reviewToken(review: JsonObject, { authenticator }: ReviewContext): JsonObject {
  const token = textAt(review, 'spec', 'token');
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  const user = authenticator.byToken(token);
  if (!user) return { ...review, status: { user: {}, error: 'invalid bearer token' } };
  const audiences = ['https://kubernetes.default.svc.cluster.local'];
  return { ...review, status: { authenticated: true, user: userInfo(user), audiences } };
}

function reviewAccess(review: JsonObject, { authorizer }: ReviewContext, user: User): JsonObject {
  const attributes = attributesOf(review);
  const errors = [...(attributes ? [] : [missingAttributes(review)]), ...subjectErrors(user)];
  if (!attributes || errors.length > 0) throw invalid({ group: AUTHORIZATION, resource: '' }, errors);
  return { ...review, status: { allowed: authorizer.allows(user, attributes) } };
}

function reviewRules(review: JsonObject, { authorizer, user }: ReviewContext): JsonObject {
  const namespace = textAt(review, 'spec', 'namespace');
  if (namespace === '') throw badRequest('no namespace on request');
  const here = authorizer.rulesFor(user).filter((rule) => rule.namespace === undefined || rule.namespace === namespace);
  return {
    ...review,
    spec: {},
    status: {
      resourceRules: here.filter(({ resources }) => resources?.length).map(resourceRule),
      nonResourceRules: here
        .filter(({ nonResourceURLs }) => nonResourceURLs?.length)
        .map(({ verbs, nonResourceURLs = [] }) => ({ verbs, nonResourceURLs })),
      incomplete: false,
    },
  };
}

function resourceRule({ verbs, apiGroups = [], resources = [], resourceNames = [] }: PolicyRule): JsonObject {
  return { verbs, apiGroups, resources, ...(resourceNames.length > 0 && { resourceNames }) };
}

function attributesOf(review: JsonObject): Attributes | undefined {
  const resource = valueAt(review, 'spec', 'resourceAttributes');
  const path = valueAt(review, 'spec', 'nonResourceAttributes');
  if (isObject(resource) === isObject(path)) return undefined;
  if (isObject(path)) return { kind: 'path', verb: textAt(path, 'verb'), path: textAt(path, 'path') };
  return {
    kind: 'resource',
    verb: textAt(resource, 'verb'),
    group: textAt(resource, 'group'),
    resource: textAt(resource, 'resource'),
    subresource: textAt(resource, 'subresource'),
    namespace: textAt(resource, 'namespace'),
    name: textAt(resource, 'name'),
  };
}

function missingAttributes(review: JsonObject): FieldError {
  const message = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return invalidValue('spec.resourceAttributes', valueAt(review, 'spec', 'resourceAttributes') ?? null, message);
}

function subjectErrors({ name, groups }: User): FieldError[] {
  if (name !== '' || groups.length > 0) return [];
  return [invalidValue('spec.user', '', 'at least one of user or group must be specified')];
}

/** Groups stand as they are asked for: a review does not add `system:authenticated`. */
function subjectOf(review: JsonObject): User {
  return {
    name: textAt(review, 'spec', 'user'),
    uid: textAt(review, 'spec', 'uid'),
    groups: textListAt(review, 'spec', 'groups'),
  };
}

function userInfo({ name, uid, groups }: User): JsonObject {
  const all = groups.includes(AUTHENTICATED) ? groups : [...groups, AUTHENTICATED];
  return { username: name, ...(uid && { uid }), groups: all };
}
