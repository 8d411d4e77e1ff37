import { isObject, type JsonObject, type JsonValue } from '../json.ts';

/** One step of a path as FieldsV1 spells it: `f:name`, `k:{"port":80}`, `v:"x"`, `i:0`. */
export type PathElement = string;

interface Node {
  readonly member: boolean;
  readonly children: FieldSet;
}

/**
 * A set of fields, as `managedFields` record who owns what. A field can be a member without its children being
 * members, and the other way round.
 */
export class FieldSet {
  static readonly empty = new FieldSet(new Map());
  readonly #nodes: ReadonlyMap<PathElement, Node>;

  private constructor(nodes: ReadonlyMap<PathElement, Node>) {
    this.#nodes = nodes;
  }

  static of(paths: Iterable<readonly PathElement[]>): FieldSet {
    const builder = new FieldSetBuilder();
    for (const path of paths) builder.insert(path);
    return builder.build();
  }

  /** For builders: nodes by element. Empty nodes are left out. */
  static from(nodes: Iterable<readonly [PathElement, Node]>): FieldSet {
    const kept = [...nodes].filter(([, { member, children }]) => member || !children.isEmpty);
    return kept.length === 0 ? FieldSet.empty : new FieldSet(new Map(kept));
  }

  /** Reads the `fieldsV1` of a managedFields entry. */
  static fromFieldsV1(fields: JsonValue | undefined): FieldSet {
    if (!isObject(fields)) return FieldSet.empty;
    const entries = Object.entries(fields).filter(([key]) => key !== '.');
    return FieldSet.from(
      entries.map(([key, below]) => {
        const member = !isObject(below) || '.' in below || Object.keys(below).length === 0;
        return [key, { member, children: FieldSet.fromFieldsV1(below) }];
      }),
    );
  }

  toFieldsV1(): JsonObject {
    const entries = [...this.#nodes].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(
      entries.map(([key, { member, children }]): [string, JsonObject] => [
        key,
        children.isEmpty || !member ? children.toFieldsV1() : { '.': {}, ...children.toFieldsV1() },
      ]),
    );
  }

  get isEmpty(): boolean {
    return this.#nodes.size === 0;
  }

  get nodes(): Iterable<readonly [PathElement, Node]> {
    return this.#nodes;
  }

  has(element: PathElement): boolean {
    return this.#nodes.get(element)?.member ?? false;
  }

  below(element: PathElement): FieldSet {
    return this.#nodes.get(element)?.children ?? FieldSet.empty;
  }

  union(other: FieldSet): FieldSet {
    const elements = new Set([...this.#nodes.keys(), ...other.#nodes.keys()]);
    return FieldSet.from(
      [...elements].map((element) => [
        element,
        {
          member: this.has(element) || other.has(element),
          children: this.below(element).union(other.below(element)),
        },
      ]),
    );
  }

  intersection(other: FieldSet): FieldSet {
    return this.#map((element, { member, children }) => ({
      member: member && other.has(element),
      children: children.intersection(other.below(element)),
    }));
  }

  /** Without the other's members; members below or above those stay. */
  difference(other: FieldSet): FieldSet {
    return this.#map((element, { member, children }) => ({
      member: member && !other.has(element),
      children: children.difference(other.below(element)),
    }));
  }

  /** Without the other's members and everything below them. */
  without(other: FieldSet): FieldSet {
    return this.#map((element, { member, children }) => {
      if (other.has(element)) return { member: false, children: FieldSet.empty };
      return { member, children: children.without(other.below(element)) };
    });
  }

  /** The members as paths, in no particular order. */
  paths(prefix: readonly PathElement[] = []): (readonly PathElement[])[] {
    return [...this.#nodes].flatMap(([element, { member, children }]) => {
      const path = [...prefix, element];
      return [...(member ? [path] : []), ...children.paths(path)];
    });
  }

  #map(change: (element: PathElement, node: Node) => Node): FieldSet {
    return FieldSet.from([...this.#nodes].map(([element, node]) => [element, change(element, node)]));
  }
}

/** Collects paths into a FieldSet. */
export class FieldSetBuilder {
  readonly #nodes = new Map<PathElement, { member: boolean; children: FieldSetBuilder }>();

  insert([element, ...rest]: readonly PathElement[]): void {
    if (element === undefined) return;
    const node = this.#nodes.get(element) ?? { member: false, children: new FieldSetBuilder() };
    this.#nodes.set(element, node);
    if (rest.length === 0) node.member = true;
    else node.children.insert(rest);
  }

  build(): FieldSet {
    return FieldSet.from(
      [...this.#nodes].map(([element, { member, children }]) => [element, { member, children: children.build() }]),
    );
  }
}
