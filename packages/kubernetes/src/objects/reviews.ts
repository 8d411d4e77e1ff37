import { Reader } from '../decode.ts';

/** Who presented a bearer token, as the API server sees it. */
export interface TokenReviewStatus {
  readonly authenticated: boolean;
  readonly error: string;
  readonly user: {
    readonly username: string;
    readonly uid: string;
    readonly groups: readonly string[];
    readonly extra: Readonly<Record<string, readonly string[]>>;
  };
  readonly audiences: readonly string[];
}

export interface SubjectAccessReviewSpec {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  readonly nonResourceAttributes?: { readonly path: string; readonly verb: string };
  readonly resourceAttributes?: {
    readonly namespace?: string;
    readonly verb: string;
    readonly group?: string;
    readonly version?: string;
    readonly resource: string;
    readonly subresource?: string;
    readonly name?: string;
  };
}

export interface SubjectAccessReviewStatus {
  readonly allowed: boolean;
  readonly denied: boolean;
  readonly reason: string;
  readonly evaluationError: string;
}

/** @throws DecodeError */
export function decodeTokenReview(value: unknown): TokenReviewStatus {
  const status = Reader.of(value, 'TokenReview').object('status');
  const user = status.object('user');
  return {
    authenticated: status.boolean('authenticated'),
    error: status.string('error'),
    user: {
      username: user.string('username'),
      uid: user.string('uid'),
      groups: user.strings('groups'),
      extra: user.stringLists('extra'),
    },
    audiences: status.strings('audiences'),
  };
}

/** @throws DecodeError */
export function decodeAccessReview(value: unknown): SubjectAccessReviewStatus {
  const status = Reader.of(value, 'SubjectAccessReview').object('status');
  return {
    allowed: status.boolean('allowed'),
    denied: status.boolean('denied'),
    reason: status.string('reason'),
    evaluationError: status.string('evaluationError'),
  };
}
