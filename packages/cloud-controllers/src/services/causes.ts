/** Why a Service is in the queue: everything of it may have changed, or only the nodes. */
export type Cause = 'service' | 'nodes';

interface Pending {
  readonly cause: Cause;
  /** Resolves when the key has been worked on; undefined when nobody waits for that. */
  readonly worked: PromiseWithResolvers<void> | undefined;
}

/**
 * Why each key of the one queue waits, so that a change of the nodes and a change of the Service are never worked on
 * at once for one load balancer. A full sync covers a change of the nodes.
 */
export class Causes {
  readonly #pending = new Map<string, Pending>();

  /** The whole Service has to be looked at. */
  note(key: string): void {
    this.#pending.set(key, { cause: 'service', worked: this.#pending.get(key)?.worked });
  }

  /** The nodes have changed. Resolves when the key has been worked on. */
  noteNodes(key: string): Promise<void> {
    const { cause = 'nodes', worked = Promise.withResolvers<void>() } = this.#pending.get(key) ?? {};
    this.#pending.set(key, { cause, worked });
    return worked.promise;
  }

  /** Runs the work of a key for the causes noted so far; those that come meanwhile are for the next time. */
  async take(key: string, work: (cause: Cause) => Promise<void>): Promise<void> {
    const { cause = 'service', worked } = this.#pending.get(key) ?? {};
    this.#pending.delete(key);
    try {
      await work(cause);
    } finally {
      worked?.resolve();
    }
  }
}
