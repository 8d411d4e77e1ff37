import type { Service } from '@cloudstack-ccm/kubernetes';

type Annotations = Readonly<Record<string, string | null>>;

/**
 * Annotations that a sync wrote on its own Service: when they come back as an update, that is no news, and a second
 * sync would only repeat the first.
 */
export class OwnAnnotations {
  readonly #written = new Map<string, Annotations>();

  note(key: string, changes: Annotations): void {
    this.#written.set(key, { ...this.#written.get(key), ...changes });
  }

  /** The changes did not reach the API server, or have come back from it. */
  drop(key: string, names: readonly string[]): void {
    const left = Object.entries(this.#written.get(key) ?? {}).filter(([name]) => !names.includes(name));
    if (left.length > 0) this.#written.set(key, Object.fromEntries(left));
    else this.#written.delete(key);
  }

  forget(key: string): void {
    this.#written.delete(key);
  }

  /** The Service as it was before an update, with our own part of the update already in it. That part is then used up. */
  appliedTo(key: string, before: Service, after: Service): Service {
    const arrived = after.metadata.annotations;
    const ours = Object.entries(this.#written.get(key) ?? {}).filter(
      ([name, value]) => value === (arrived[name] ?? null),
    );
    this.drop(
      key,
      ours.map(([name]) => name),
    );
    const annotations = { ...before.metadata.annotations };
    for (const [name, value] of ours) {
      if (value === null) delete annotations[name];
      else annotations[name] = value;
    }
    return { ...before, metadata: { ...before.metadata, annotations } };
  }
}
