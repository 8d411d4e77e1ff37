import type { Fault, FaultRule, FaultSubject } from './fault.ts';
import type { LiveWatches } from './live-watches.ts';

/** A rule at work. */
export interface ActiveRule {
  /** How often it has struck. */
  readonly hits: number;
  remove(): void;
}

interface Entry {
  readonly rule: FaultRule;
  matched: number;
  hits: number;
}

/** The faults of a simulator: by rule for requests to come, and at once for watches that are open. */
export class Faults {
  readonly #entries = new Set<Entry>();
  readonly #watches: LiveWatches;

  constructor(watches: LiveWatches) {
    this.#watches = watches;
  }

  /** Puts a rule in force. Rules are tried in the order in which they came. */
  add(rule: FaultRule): ActiveRule {
    const entry = { rule, matched: 0, hits: 0 };
    this.#entries.add(entry);
    return {
      get hits() {
        return entry.hits;
      },
      remove: () => void this.#entries.delete(entry),
    };
  }

  /** Takes all rules out of force. */
  clear(): void {
    this.#entries.clear();
  }

  /** Breaks the connections of all open watches, or of those of one resource. Returns how many. */
  dropWatches(resource?: string): number {
    return this.#watches.forEach(resource, (watch) => watch.drop());
  }

  /** Tells all open watches, or those of one resource, that history is gone (410). Returns how many. */
  expireWatches(resource?: string): number {
    return this.#watches.forEach(resource, (watch) => watch.expire());
  }

  /** What strikes a request: all delays that match, and the first other fault. */
  take(subject: FaultSubject): readonly Fault[] {
    const struck: Fault[] = [];
    for (const entry of this.#entries) {
      const { fault } = entry.rule;
      const isLate = fault.kind !== 'delay' && struck.some(({ kind }) => kind !== 'delay');
      if (!isLate && matches(entry.rule, subject) && this.#strike(entry)) struck.push(fault);
    }
    return struck;
  }

  #strike(entry: Entry): boolean {
    entry.matched++;
    if (entry.matched <= (entry.rule.skip ?? 0)) return false;
    entry.hits++;
    if (entry.hits >= (entry.rule.times ?? 1)) this.#entries.delete(entry);
    return true;
  }
}

function matches(rule: FaultRule, subject: FaultSubject): boolean {
  const { verb, resource, subresource, namespace, name, user, continued } = rule;
  const verbs = verb === undefined ? undefined : [verb].flat();
  return (
    (verbs?.some((one) => one === subject.verb) ?? true) &&
    same(resource, subject.resource) &&
    same(subresource, subject.subresource) &&
    same(namespace, subject.namespace) &&
    same(name, subject.name) &&
    same(user, subject.user) &&
    same(continued, subject.continued)
  );
}

function same<T>(wanted: T | undefined, is: T): boolean {
  return wanted === undefined || wanted === is;
}
