import { backoffDelay } from '@cloudstack-ccm/base';

const PAUSE = { baseMs: 5000, capMs: 300_000, jitter: 0.25 };

/**
 * Nodes that load balancers have to do without for now, because the cloud does not know their machines yet. They are
 * tried again for all Services together, so that these share what is read; the pause grows until another node waits.
 */
export class PendingNodes {
  readonly #byService = new Map<string, readonly string[]>();
  readonly #schedule: (delayMs: number) => void;
  #known: ReadonlySet<string> = new Set();
  #tries = 0;

  /** @param schedule asks for `due` to be called; of several times that were asked for, the earliest holds. */
  constructor(schedule: (delayMs: number) => void) {
    this.#schedule = schedule;
  }

  /** @returns true if it was another list before */
  note(key: string, nodes: readonly string[]): boolean {
    const before = this.#byService.get(key) ?? [];
    if (nodes.length === 0) this.#byService.delete(key);
    else this.#wait(key, nodes);
    return before.length !== nodes.length || before.some((node, index) => node !== nodes[index]);
  }

  /** The Services whose nodes are to be tried again now. */
  due(): readonly string[] {
    this.#tries++;
    this.#known = new Set([...this.#byService.values()].flat());
    return [...this.#byService.keys()];
  }

  #wait(key: string, nodes: readonly string[]): void {
    this.#byService.set(key, nodes);
    if (nodes.some((node) => !this.#known.has(node))) {
      this.#known = new Set([...this.#known, ...nodes]);
      this.#tries = 0;
    }
    this.#schedule(backoffDelay(PAUSE, this.#tries));
  }
}
