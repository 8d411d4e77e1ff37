import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Change, type Event, Neighbours, STRANGE, USERS } from './testing/neighbours.ts';
import { withCloud } from './testing/with-cloud.ts';

const RUNS = Number(process.env['NEIGHBOUR_RUNS'] ?? 25);
/** Printed, so that what was found can be found again. */
const SEED = Number(process.env['PROPERTY_SEED'] ?? Date.now() % 2 ** 31);

const ports = fc.subarray(['80', '443', '8080', '8443'], { minLength: 1 });

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('ports' as const), ports }),
  fc.record({ kind: fc.constant('hang' as const), state: fc.constantFrom('Allocating', 'Releasing'), ports }),
  fc.record({
    kind: fc.constant('address' as const),
    address: fc.constantFrom(undefined, STRANGE, USERS, '203.0.113.30'),
  }),
  fc.constant({ kind: 'join' as const }),
  fc.constant({ kind: 'delete' as const }),
);

const event: fc.Arbitrary<Event> = fc.record({
  who: fc.nat({ max: 2 }),
  change,
  diesAt: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60 })),
});

describe('Services that share addresses', () => {
  const cloud = withCloud();

  it('lose nothing by what happens to the others, and leave nothing behind', async (test) => {
    const property = fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 10 }), async (events) => {
      cloud().reset();
      const neighbours = new Neighbours(cloud());
      await neighbours.prepare();
      for (const one of events) await neighbours.play(one);
      await neighbours.end();
    });
    await fc.assert(property, { numRuns: RUNS, seed: SEED });
    test.diagnostic(`seed ${SEED}: ${RUNS} runs, ${RUNS} passed`);
  });
});
