import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { Scope, silentLogger } from '@cloudstack-ccm/base';
import type { EndpointSlice, ListWatch, WatchEvent } from '@cloudstack-ccm/kubernetes';

import { ReadyEndpoints } from './ready-endpoints.ts';

/** The slices of an API server that streams them. */
class Slices implements ListWatch<EndpointSlice> {
  readonly kind = { plural: 'endpointslices' };
  readonly slices: EndpointSlice[] = [];
  refusal: Error | undefined;
  watches = 0;
  open = 0;
  #push: ((event: WatchEvent<EndpointSlice>) => void) | undefined;

  listPage(): Promise<never> {
    return Promise.reject(this.refusal ?? new Error('lists are not served'));
  }

  async *watch(scope: Scope): AsyncGenerator<WatchEvent<EndpointSlice>> {
    this.watches++;
    if (this.refusal) throw this.refusal;
    this.open++;
    try {
      for (const object of this.slices) yield { type: 'ADDED', object };
      yield { type: 'BOOKMARK', resourceVersion: '1', initialEventsEnd: true };
      for (;;) yield await scope.race<WatchEvent<EndpointSlice>>((resolve) => void (this.#push = resolve));
    } finally {
      this.open--;
    }
  }

  async send(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: EndpointSlice): Promise<void> {
    this.#push?.({ type, object });
    await settle();
  }
}

let version = 0;

function slice(name: string, service: string, ...readyNodes: readonly string[]): EndpointSlice {
  const metadata = {
    name,
    namespace: 'default',
    uid: name,
    resourceVersion: `${++version}`,
    creationTimestamp: '',
    labels: {},
    annotations: {},
    finalizers: [],
  };
  return { metadata, serviceName: service, readyNodes };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function following(): { slices: Slices; endpoints: ReadyEndpoints; changed: string[]; scope: Scope } {
  const slices = new Slices();
  const changed: string[] = [];
  const scope = Scope.root();
  const endpoints = new ReadyEndpoints({ slices, changed: (key) => changed.push(key), log: silentLogger });
  endpoints.open(scope);
  return { slices, endpoints, changed, scope };
}

const names = (...nodes: readonly string[]) => ({ kind: 'known', names: new Set(nodes) });

describe('ready endpoints', () => {
  it('are put together from all slices of a Service, and of no other', async () => {
    const { slices, endpoints, scope } = following();
    slices.slices.push(slice('a', 'web', 'n1', 'n2'), slice('b', 'web', 'n2', 'n3'), slice('c', 'other', 'n9'));
    assert.deepEqual(await endpoints.follow(scope, 'default/web'), names('n1', 'n2', 'n3'));
    assert.deepEqual(await endpoints.follow(scope, 'elsewhere/web'), names());
    scope.cancel();
  });

  it('are watched once while any Service is followed, and not before or after', async () => {
    const { slices, endpoints, scope } = following();
    assert.equal(slices.watches, 0);
    await endpoints.follow(scope, 'default/web');
    await endpoints.follow(scope, 'default/other');
    assert.deepEqual([slices.watches, slices.open], [1, 1]);
    endpoints.unfollow('default/web');
    await settle();
    assert.equal(slices.open, 1);
    endpoints.unfollow('default/other');
    await settle();
    assert.equal(slices.open, 0);
    assert.equal(endpoints.of('default/other'), undefined);
    await endpoints.follow(scope, 'default/web');
    assert.deepEqual([slices.watches, slices.open], [2, 1]);
    scope.cancel();
  });

  it('tell of followed Services whose ready nodes change, and of nothing else', async () => {
    const { slices, endpoints, changed, scope } = following();
    await endpoints.follow(scope, 'default/web');
    await slices.send('ADDED', slice('a', 'web', 'n1'));
    assert.deepEqual(changed.splice(0), ['default/web']);
    await slices.send('MODIFIED', slice('a', 'web', 'n1'));
    await slices.send('ADDED', slice('b', 'other', 'n1'));
    assert.deepEqual(changed.splice(0), []);
    await slices.send('MODIFIED', slice('a', 'web', 'n2'));
    assert.deepEqual(endpoints.of('default/web'), names('n2'));
    await slices.send('DELETED', slice('a', 'web', 'n2'));
    assert.deepEqual(changed.splice(0), ['default/web', 'default/web']);
    assert.deepEqual(endpoints.of('default/web'), names());
    scope.cancel();
  });

  it('are unknown, with the reason, when the API server refuses them', async () => {
    const { slices, endpoints, scope } = following();
    slices.refusal = new Error('endpointslices is forbidden');
    const unknown = { kind: 'unknown', reason: 'endpointslices is forbidden' };
    assert.deepEqual(await endpoints.follow(scope, 'default/web'), unknown);
    assert.deepEqual(await endpoints.follow(scope, 'default/web'), unknown, 'the second one does not wait');
    scope.cancel();
  });

  it('are unknown to a controller that does not run', async () => {
    const { endpoints, scope } = following();
    scope.cancel();
    assert.equal((await endpoints.follow(Scope.root(), 'default/web')).kind, 'unknown');
  });
});
