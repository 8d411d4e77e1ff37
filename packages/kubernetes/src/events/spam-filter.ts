import { type Clock, TokenBucket } from '@cloudstack-ccm/base';
import { LruMap } from '../lru-map.ts';
import { aboutKey, type EventNotice } from './event-notice.ts';

const BURST = 25;
const PER_SECOND = 1 / 300;

/** client-go's last step: about one object and of one type, 25 events at once and then one every 5 minutes. */
export class SpamFilter {
  readonly #clock: Clock;
  readonly #buckets: LruMap<string, TokenBucket>;

  constructor(clock: Clock, capacity: number) {
    this.#clock = clock;
    this.#buckets = new LruMap(capacity);
  }

  allows(notice: EventNotice): boolean {
    const key = JSON.stringify([aboutKey(notice), notice.type]);
    const bucket = this.#buckets.get(key) ?? new TokenBucket(this.#clock, PER_SECOND, BURST);
    this.#buckets.set(key, bucket);
    if (bucket.reserve() === 0) return true;
    bucket.refund();
    return false;
  }
}
