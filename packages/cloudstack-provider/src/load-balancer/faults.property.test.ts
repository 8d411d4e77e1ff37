import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { FaultAction } from '@cloudstack-ccm/cloudstack-simulator';
import fc from 'fast-check';
import type { Cloud, Controller } from './testing/cloud.ts';
import { port, TestService } from './testing/service.ts';
import { inPlace, opened, PLACES } from './testing/worlds.ts';

const RUNS = Number(process.env['FAULT_RUNS'] ?? 2);
const PLAYED = new Set(['an isolated network 4.14', 'an isolated network 4.22', 'a tier of a VPC 4.20']);
/** Printed, so that what was found can be found again. */
const SEED = Number(process.env['PROPERTY_SEED'] ?? Date.now() % 2 ** 31);
const SERVICES = 12;
/** Each fault happens a few times at most, so that this many tries must do. */
const TRIES = 25;

interface Fault {
  readonly command: string;
  readonly action: FaultAction;
  readonly count: number;
}

const fault: fc.Arbitrary<Fault> = fc.record({
  command: fc.constantFrom(
    'associateIpAddress',
    'createLoadBalancerRule',
    'assignToLoadBalancerRule',
    'createFirewallRule',
    'createTags',
    'deleteLoadBalancerRule',
    'deleteFirewallRule',
    'createNetworkACL',
    'deleteNetworkACL',
    'disassociateIpAddress',
  ),
  action: fc.constantFrom<FaultAction>(
    { kind: 'job-fails', code: 530, text: 'router is busy' },
    { kind: 'api-error', code: 530, text: 'Internal error executing command' },
    { kind: 'reset' },
    { kind: 'cut-body' },
    { kind: 'slow-job', ms: 40 },
  ),
  count: fc.integer({ min: 1, max: 2 }),
});

const faults = fc.array(fault, { minLength: 5, maxLength: 14 });

for (const place of PLACES.filter(({ where, version }) => PLAYED.has(`${where} ${version}`))) {
  describe(`many Services at once in ${place.where} of ${place.version}, while commands and jobs fail`, () => {
    const cloud = inPlace(place);

    it('get what they want, change, and leave nothing behind', async (test) => {
      const property = fc.asyncProperty(faults, faults, faults, async (first, second, third) => {
        cloud().reset();
        const world = new World(cloud());
        await world.all('ensure', first);
        world.assertServed();
        world.edit({ ports: [port('443'), port('8080')] });
        await world.all('ensure', second);
        world.assertServed();
        await world.all('delete', third);
        // That an answer was lost may not be known of what is gone.
        await world.all('delete', []);
        assert.deepEqual([cloud().rules(), opened(cloud()), cloud().addresses()], [[], [], []]);
      });
      await fc.assert(property, { numRuns: RUNS, seed: SEED });
      test.diagnostic(`seed ${SEED}: ${RUNS} runs, ${RUNS} passed`);
    });
  });
}

class World {
  readonly #cloud: Cloud;
  readonly #controller: Controller;
  readonly #services = Array.from({ length: SERVICES }, (_, index) => {
    const uid = `${String(index).padStart(8, '0')}-2222-3333-4444-555555555555`;
    return new TestService({ name: `web-${index}`, uid, ports: [port('80'), port('443')] });
  });

  constructor(cloud: Cloud) {
    this.#cloud = cloud;
    this.#controller = cloud.controller({ random: () => 0 });
  }

  edit(changes: Parameters<TestService['edit']>[0]): void {
    for (const service of this.#services) service.edit(changes);
  }

  async all(what: 'ensure' | 'delete', happening: readonly Fault[]): Promise<void> {
    const { faults: given } = this.#cloud.simulator;
    for (const one of happening) given.add(one);
    await Promise.all(this.#services.map((service) => this.#settle(service, what)));
    given.clear();
  }

  assertServed(): void {
    const rules = this.#cloud.rules();
    const addresses = new Set(rules.map((rule) => rule.split(' ')[1]?.split(':')[0]));
    assert.equal(rules.length, SERVICES * 2);
    assert.equal(addresses.size, SERVICES);
    assert.deepEqual(new Set(this.#cloud.addresses()), addresses, 'an address is held for nothing');
    for (const rule of rules) assert.match(rule, /\[node-1,node-2,node-3\]/);
    assert.ok(opened(this.#cloud).length > 0, 'every port is closed');
  }

  async #settle(service: TestService, what: 'ensure' | 'delete'): Promise<void> {
    for (let left = TRIES; ; left--) {
      try {
        if (what === 'delete') return await this.#controller.delete(service);
        const nodes = this.#cloud.nodes('node-1', 'node-2', 'node-3');
        return service.edit({ ingress: (await this.#controller.ensure(service, nodes)).ingress });
      } catch (thrown) {
        if (left === 1) throw thrown;
        await pause(5);
      }
    }
  }
}
