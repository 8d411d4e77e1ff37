/** What a value names: two kinds never mix, so an address and an id can't be taken for each other. */
export type BindingKind = string;

/**
 * Which recorded value stands for which value of the simulator. Both ways: two recorded ids that became one, or one
 * that became two, are a difference.
 */
export class Bindings {
  readonly #simulated = new Map<string, string>();
  readonly #recorded = new Map<string, string>();

  /** True if the two may stand for each other: they do already, or neither is taken. */
  bind(kind: BindingKind, recorded: string, simulated: string): boolean {
    const [left, right] = [`${kind} ${recorded}`, `${kind} ${simulated}`];
    const known = this.#simulated.get(left);
    if (known !== undefined) return known === simulated;
    if (this.#recorded.has(right)) return false;
    this.#simulated.set(left, simulated);
    this.#recorded.set(right, recorded);
    return true;
  }

  /** The simulator's value for a recorded one. */
  simulated(kind: BindingKind, recorded: string): string | undefined {
    return this.#simulated.get(`${kind} ${recorded}`);
  }

  /** The recorded value behind one of the simulator's. */
  recorded(kind: BindingKind, simulated: string): string | undefined {
    return this.#recorded.get(`${kind} ${simulated}`);
  }
}
