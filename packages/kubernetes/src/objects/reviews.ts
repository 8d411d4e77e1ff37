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
