import type { JsonObject, JsonValue } from '../json.ts';
import type { FieldError } from '../validation/field-errors.ts';

/** What the API server does to objects of one resource beyond what it does to all. */
export interface Strategy {
  /** What is wrong with a name. */
  readonly nameErrors: (name: string) => readonly string[];
  /** Values that the API server fills in where the user gave none. */
  readonly defaults?: (object: JsonObject) => JsonObject;
  /** Puts right what a create may not decide. */
  readonly prepareForCreate?: (object: JsonObject, context: StrategyContext) => JsonObject;
  /** Puts right what an update may not decide; status and spec are already kept apart. */
  readonly prepareForUpdate?: (object: JsonObject, current: JsonObject, context: StrategyContext) => JsonObject;
  /** What the user should know, though the object is accepted. */
  readonly warnings?: (object: JsonObject) => readonly string[];
  /** Checks a whole object. */
  readonly validate?: (object: JsonObject, request: RequestVersion) => readonly FieldError[];
  /** Checks an update; without it, `validate` does. */
  readonly validateUpdate?: (object: JsonObject, current: JsonObject, request: RequestVersion) => readonly FieldError[];
  /** Checks an update of the status subresource, instead of the two above. */
  readonly validateStatus?: (object: JsonObject, current: JsonObject) => readonly FieldError[];
  /** The values that field selectors can ask for, beyond `metadata.name` and `metadata.namespace`. */
  readonly fields?: (object: JsonObject) => Readonly<Record<string, string>>;
  /** Things that only one object can have at a time. */
  readonly claims?: (object: JsonObject) => readonly string[];
  /** A create does not keep the status that the client sent. */
  readonly dropsStatusOnCreate?: boolean;
  /** `metadata.generation` counts the changes of the spec. */
  readonly countsGenerations?: boolean;
  /** A deletion answers with the object instead of a Status. */
  readonly returnsDeleted?: boolean;
  /** A PUT makes the object if there is none. */
  readonly createOnUpdate?: boolean;
  /** A PUT must say which version it replaces. */
  readonly needsResourceVersion?: boolean;
}

/** The group and version through which a request came. */
export interface RequestVersion {
  readonly groupVersion: string;
}

export interface StrategyContext {
  /** True if no object of the resource, other than the one at work, has the claim. */
  readonly isFree: (claim: string) => boolean;
  /** Numbers in [0, 1). */
  readonly random: () => number;
  readonly settings: ClusterSettings;
}

/** What an administrator decides with the flags of a real kube-apiserver. */
export interface ClusterSettings {
  /** `--service-cluster-ip-range`. */
  readonly serviceCidr: string;
  /** `--service-node-port-range`, both ends included. */
  readonly nodePortRange: readonly [first: number, last: number];
  /** Each new Node gets the taint `node.kubernetes.io/not-ready`, as the TaintNodesByCondition admission does. */
  readonly taintNewNodes: boolean;
}

/** Sets a value only where there is none. */
export function defaulted(object: JsonObject, key: string, value: JsonValue): JsonObject {
  const given = object[key];
  return given === undefined || given === '' || given === null ? { ...object, [key]: value } : object;
}
