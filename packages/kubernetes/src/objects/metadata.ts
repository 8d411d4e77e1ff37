/** The part of `metadata` that controllers read. Absent maps and lists are empty, absent strings are `''`. */
export interface ObjectMeta {
  readonly name: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly uid: string;
  /** Opaque: compare for equality only. */
  readonly resourceVersion: string;
  /** RFC 3339. */
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
}

export interface KubernetesObject {
  readonly metadata: ObjectMeta;
}

/** What names one object of a kind. */
export interface ObjectName {
  /** Absent or empty for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name: string;
}
