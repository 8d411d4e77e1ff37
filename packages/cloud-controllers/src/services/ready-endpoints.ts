import { messageOf, type Logger, type Scope } from '@cloudstack-ccm/base';
import { Informer, type EndpointSlice, type ListWatch } from '@cloudstack-ccm/kubernetes';
import { isDeepStrictEqual } from 'node:util';

import type { ReadyNodes } from '../cloud.ts';

export interface ReadyEndpointsOptions {
  readonly slices: ListWatch<EndpointSlice>;
  /** Told of each followed Service, by key, whose ready nodes may have changed. */
  readonly changed: (key: string) => void;
  readonly log: Logger;
}

const BY_SERVICE = 'service';

/**
 * Follows on which nodes Services have ready endpoints. Endpoint slices are watched only while a Service is followed:
 * most clusters have none that asks for it, and slices change more than anything else.
 */
export class ReadyEndpoints {
  readonly #options: ReadyEndpointsOptions;
  readonly #followed = new Set<string>();
  #life: Scope | undefined;
  #watch: Watch | undefined;

  constructor(options: ReadyEndpointsOptions) {
    this.#options = options;
  }

  /** From now on, and until the scope ends, slices can be watched. */
  open(scope: Scope): void {
    this.#life = scope;
  }

  /** Follows the Service until `unfollow`. Waits for the first answer of the API server, good or bad. */
  async follow(scope: Scope, key: string): Promise<ReadyNodes> {
    this.#followed.add(key);
    if (!this.#life || this.#life.cancelled) return { kind: 'unknown', reason: 'the controller is not running' };
    this.#watch ??= new Watch(this.#life, this.#options, (touched) => {
      if (this.#followed.has(touched)) this.#options.changed(touched);
    });
    return await this.#watch.first(scope, key);
  }

  /** What is known now, without waiting; undefined if the Service is not followed. */
  of(key: string): ReadyNodes | undefined {
    return this.#followed.has(key) ? this.#watch?.now(key) : undefined;
  }

  unfollow(key: string): void {
    if (!this.#followed.delete(key) || this.#followed.size > 0) return;
    this.#watch?.end();
    this.#watch = undefined;
  }
}

/** One watch over the slices of all Services. */
class Watch {
  readonly #scope: Scope;
  readonly #informer: Informer<EndpointSlice>;
  readonly #waiting = new Set<() => void>();
  #failure: string | undefined;

  constructor(life: Scope, { slices, log }: ReadyEndpointsOptions, touched: (key: string) => void) {
    this.#scope = life.child();
    this.#informer = new Informer(slices, {
      log,
      indexes: { [BY_SERVICE]: (slice) => [serviceOf(slice)] },
      onFailure: (error) => this.#failed(messageOf(error)),
    });
    this.#informer.addHandler({
      added: (slice) => touched(serviceOf(slice)),
      updated: (before, after) => {
        if (sameReadiness(before, after)) return;
        for (const key of new Set([serviceOf(before), serviceOf(after)])) touched(key);
      },
      deleted: (slice) => touched(serviceOf(slice)),
    });
    this.#informer.start(this.#scope);
  }

  async first(scope: Scope, key: string): Promise<ReadyNodes> {
    if (!this.#informer.hasSynced() && this.#failure === undefined) {
      using waiting = scope.child();
      const failed = Promise.withResolvers<void>();
      this.#waiting.add(failed.resolve);
      try {
        await Promise.race([failed.promise, this.#informer.waitForSync(waiting)]);
      } finally {
        this.#waiting.delete(failed.resolve);
      }
    }
    return this.now(key);
  }

  now(key: string): ReadyNodes {
    if (!this.#informer.hasSynced()) return { kind: 'unknown', reason: this.#failure ?? 'nothing was read yet' };
    const slices = this.#informer.lister.byIndex(BY_SERVICE, key);
    return { kind: 'known', names: new Set(slices.flatMap(({ readyNodes }) => readyNodes)) };
  }

  end(): void {
    this.#scope.cancel();
  }

  /** After the first complete state, a failure only means that news come late. */
  #failed(reason: string): void {
    this.#failure = reason;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

function serviceOf({ metadata: { namespace }, serviceName }: EndpointSlice): string {
  return `${namespace}/${serviceName}`;
}

function sameReadiness(before: EndpointSlice, after: EndpointSlice): boolean {
  return before.serviceName === after.serviceName && isDeepStrictEqual(before.readyNodes, after.readyNodes);
}
