import type { Clock } from '@cloudstack-ccm/base';
import { LruMap } from '../lru-map.ts';
import { aboutKey, type EventNotice } from './event-notice.ts';

/** From so many distinct messages on, notices that differ in nothing else become one event. */
const MAX_DISTINCT = 10;

/** A group that was quiet for longer is forgotten. */
const WINDOW_MS = 600_000;

const PREFIX = '(combined from similar events): ';

interface Group {
  readonly messages: Set<string>;
  lastAt: number;
}

export interface Aggregated {
  readonly notice: EventNotice;
  /** Notices with the same key are one event. */
  readonly key: string;
}

/** client-go's first step: many messages of one kind about one object become a combined event. */
export class EventAggregator {
  readonly #clock: Clock;
  readonly #groups: LruMap<string, Group>;

  constructor(clock: Clock, capacity: number) {
    this.#clock = clock;
    this.#groups = new LruMap(capacity);
  }

  aggregate(notice: EventNotice): Aggregated {
    const groupKey = JSON.stringify([aboutKey(notice), notice.type, notice.reason]);
    const { messages } = this.#note(groupKey, notice.message);
    if (messages.size < MAX_DISTINCT) return { notice, key: JSON.stringify([groupKey, notice.message]) };
    // The set never grows beyond its use.
    const [any] = messages;
    if (any !== undefined) messages.delete(any);
    return { notice: { ...notice, message: PREFIX + notice.message }, key: groupKey };
  }

  #note(groupKey: string, message: string): Group {
    const now = this.#clock.monotonic();
    const known = this.#groups.get(groupKey);
    const group = known && now - known.lastAt <= WINDOW_MS ? known : { messages: new Set<string>(), lastAt: now };
    group.messages.add(message);
    group.lastAt = now;
    this.#groups.set(groupKey, group);
    return group;
  }
}
