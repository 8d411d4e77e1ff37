import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import * as fc from 'fast-check';

import type { DeletionLimits, Sighting } from '../cloud.ts';
import {
  afterFailedPass,
  EMPTY_MEMORY,
  judge,
  type Decision,
  type GuardedNode,
  type GuardMemory,
} from './deletion-guard.ts';

const LIMITS: DeletionLimits = { count: 3, percent: 20, windowMs: 60_000 };

type State = Sighting['state'] | 'ready';

interface World {
  /** State of each node's machine; `ready` for a node that nobody looks for. */
  readonly states: Readonly<Record<string, State>>;
  readonly witness?: string;
  readonly confirmed?: readonly string[];
  /** Nodes without provider ID. */
  readonly nameless?: readonly string[];
  readonly tainted?: readonly string[];
  readonly at?: number;
}

function passOf({ states, witness, confirmed = [], nameless = [], tainted = [], at = 0 }: World) {
  const nodes = Object.entries(states).map(([name, state]): GuardedNode => ({
    name,
    uid: `uid-${name}`,
    ready: state === 'ready',
    identified: !nameless.includes(name),
    shutdownTaint: tainted.includes(name),
    confirmed: confirmed.includes(name),
  }));
  const seen = Object.entries(states).flatMap(([name, state]): [string, Sighting][] => {
    if (state === 'ready') return [];
    return [[name, state === 'unknown' ? { state, reason: 'HTTP 503' } : { state }]];
  });
  return { nodes, sightings: { byNode: new Map(seen), witness }, now: at };
}

/** Judges passes one after the other and gives the decisions of the last. */
function after(...worlds: World[]): Record<string, Decision> {
  let memory = EMPTY_MEMORY;
  let decisions: ReadonlyMap<string, Decision> = new Map();
  for (const world of worlds) ({ decisions, memory } = judge(passOf(world), memory, LIMITS));
  return Object.fromEntries(decisions);
}

const DELETE_ABSENT = { action: 'delete', proof: 'absent' };
const WAIT = { action: 'wait' };
const NONE = { action: 'none' };

describe('The deletion guard', () => {
  test('lets a node go whose machine was absent in two passes with a witness (case 12 a)', () => {
    const pass = { states: { n1: 'ready', n2: 'ready', n3: 'absent' }, witness: 'n1' } as const;
    assert.deepEqual(after(pass)['n3'], WAIT);
    assert.deepEqual(after(pass, pass)['n3'], DELETE_ABSENT);
  });

  test('keeps a node whose machine could not be told, and starts over (case 12 b, c, d)', () => {
    const absent = { states: { n1: 'ready', n3: 'absent' }, witness: 'n1' } as const;
    const unknown = { states: { n1: 'ready', n3: 'unknown' }, witness: 'n1' } as const;
    assert.deepEqual(after(absent, unknown)['n3'], { action: 'report', reason: 'HTTP 503' });
    assert.deepEqual(after(absent, unknown, absent)['n3'], WAIT);
    assert.deepEqual(after(absent, unknown, absent, absent)['n3'], DELETE_ABSENT);
  });

  test('starts over after a pass that failed as a whole', () => {
    const pass = passOf({ states: { n1: 'ready', n3: 'absent' }, witness: 'n1' });
    const { memory } = judge(pass, EMPTY_MEMORY, LIMITS);
    assert.deepEqual(judge(pass, afterFailedPass(memory), LIMITS).decisions.get('n3'), WAIT);
  });

  test('holds when nobody can bear witness (case 12 e)', () => {
    const pass = { states: { n1: 'absent', n2: 'absent', n3: 'absent' } } as const;
    for (const decision of Object.values(after(pass, pass))) {
      assert.deepEqual(decision, { action: 'hold', reason: 'no-witness' });
    }
  });

  test('takes no absent node for a witness', () => {
    const pass = { states: { n1: 'absent', n2: 'absent' }, witness: 'n1' } as const;
    assert.deepEqual(after(pass, pass)['n2'], { action: 'hold', reason: 'no-witness' });
  });

  test('counts no absence that was seen without a witness', () => {
    const blind = { states: { n1: 'ready', n3: 'absent' } } as const;
    const seeing = { ...blind, witness: 'n1' };
    assert.deepEqual(after(blind, blind, seeing)['n3'], WAIT);
    assert.deepEqual(after(blind, blind, seeing, seeing)['n3'], DELETE_ABSENT);
  });

  test('obeys a person for the only node of a cluster, but not before it was absent twice (case 12 f)', () => {
    const pass = { states: { n3: 'absent' } } as const;
    const confirmed = { ...pass, confirmed: ['n3'] };
    assert.deepEqual(after(pass, pass)['n3'], { action: 'hold', reason: 'no-witness' });
    assert.deepEqual(after(confirmed)['n3'], WAIT);
    assert.deepEqual(after(pass, confirmed)['n3'], { action: 'delete', proof: 'confirmed' });
  });

  test('obeys nobody for a machine that is seen', () => {
    const pass = { states: { n3: 'running' }, confirmed: ['n3'] } as const;
    assert.deepEqual(after(pass, pass)['n3'], NONE);
  });

  test('never lets a ready node go (case 12 g)', () => {
    const pass = passOf({ states: { n1: 'ready', n3: 'ready' }, witness: 'n1' });
    const lying = { ...pass, sightings: { witness: 'n1', byNode: new Map([['n3', { state: 'gone' } as const]]) } };
    assert.deepEqual(judge(lying, EMPTY_MEMORY, LIMITS).decisions.get('n3'), NONE);
  });

  test('needs no more proof for a machine that is seen to be gone', () => {
    assert.deepEqual(after({ states: { n3: 'gone' } })['n3'], { action: 'delete', proof: 'gone' });
  });

  test('holds when more than 3 and more than 20 % would go at once (case 13, variant)', () => {
    const states = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`n${index}`, index < 5 ? 'absent' : 'running'] as const),
    );
    const pass = { states, witness: 'n9' };
    assert.deepEqual(after(pass, pass)['n0'], { action: 'hold', reason: 'too-many' });
    const less = { ...pass, states: { ...states, n0: 'running', n1: 'running' } as const };
    assert.deepEqual(after(pass, pass, less)['n2'], DELETE_ABSENT);
  });

  test('counts those that could not be told as lost, so that one failed question lets no flood through', () => {
    const states = { a: 'absent', b: 'absent', c: 'absent', d: 'absent', w: 'ready' } as const;
    const first: World = { states, witness: 'w' };
    const second: World = { states: { ...states, d: 'unknown' }, witness: 'w' };
    assert.deepEqual(after(first, second)['a'], { action: 'hold', reason: 'too-many' });
    assert.deepEqual(after(second, second)['a'], { action: 'hold', reason: 'too-many' });
    // Of a node without provider ID nothing may ever be told: it must not hold others for good.
    const nameless = { ...second, nameless: ['d'] };
    assert.deepEqual(after(nameless, nameless)['a'], DELETE_ABSENT);
  });

  test('lets 3 of 4 nodes go, and 4 of 20, for both limits must be passed', () => {
    const of = (absent: number, all: number): World => ({
      states: Object.fromEntries(
        Array.from({ length: all }, (_, index) => [`n${index}`, index < absent ? 'absent' : 'ready'] as const),
      ),
      witness: `n${all - 1}`,
    });
    assert.deepEqual(after(of(3, 4), of(3, 4))['n0'], DELETE_ABSENT);
    assert.deepEqual(after(of(4, 20), of(4, 20))['n0'], DELETE_ABSENT);
    assert.deepEqual(after(of(4, 19), of(4, 19))['n0'], { action: 'hold', reason: 'too-many' });
  });

  test('does not count nodes that a person confirmed', () => {
    const states = { a: 'absent', b: 'absent', c: 'absent', d: 'absent', w: 'ready' } as const;
    const pass = { states, witness: 'w' };
    assert.deepEqual(after(pass, pass)['b'], { action: 'hold', reason: 'too-many' });
    const confirmed = { ...pass, confirmed: ['a'] };
    assert.deepEqual(after(pass, confirmed)['a'], { action: 'delete', proof: 'confirmed' });
    assert.deepEqual(after(pass, confirmed)['b'], DELETE_ABSENT);
  });

  test('counts nodes that went just before, so that a trickle is seen as the flood it is', () => {
    const first: World = {
      states: { a: 'absent', b: 'absent', c: 'absent', d: 'ready', e: 'ready', w: 'ready' },
      witness: 'w',
    };
    const second: World = { states: { d: 'absent', e: 'ready', w: 'ready' }, witness: 'w', at: 10_000 };
    assert.deepEqual(after(first, first, second, second)['d'], { action: 'hold', reason: 'too-many' });
    const later = { ...second, at: 61_000 };
    assert.deepEqual(after(first, first, second, later)['d'], DELETE_ABSENT);
  });

  test('taints a stopped machine’s node once, and takes the taint off only when the node is ready', () => {
    assert.deepEqual(after({ states: { n: 'stopped' } })['n'], { action: 'taint' });
    assert.deepEqual(after({ states: { n: 'stopped' }, tainted: ['n'] })['n'], NONE);
    assert.deepEqual(after({ states: { n: 'running' }, tainted: ['n'] })['n'], NONE);
    assert.deepEqual(after({ states: { n: 'ready' }, tainted: ['n'] })['n'], { action: 'untaint' });
  });

  test('leaves nodes of other systems alone', () => {
    const pass = { states: { n: 'foreign', w: 'ready' }, witness: 'w', confirmed: ['n'] } as const;
    assert.deepEqual(after(pass, pass)['n'], NONE);
  });

  test('reports a node that the cloud forgot to speak of', () => {
    const pass = passOf({ states: { n: 'absent' } });
    const silent = { ...pass, sightings: { byNode: new Map(), witness: undefined } };
    assert.equal(judge(silent, EMPTY_MEMORY, LIMITS).decisions.get('n')?.action, 'report');
  });

  test('does not take a node for absent twice that was made anew under its name', () => {
    const pass = passOf({ states: { n: 'absent', w: 'ready' }, witness: 'w' });
    const { memory } = judge(pass, EMPTY_MEMORY, LIMITS);
    const anew = { ...pass, nodes: pass.nodes.map((node) => ({ ...node, uid: `${node.uid}-2` })) };
    assert.deepEqual(judge(anew, memory, LIMITS).decisions.get('n'), WAIT);
  });

  test('remembers nothing of nodes that left', () => {
    const first = judge(passOf({ states: { n: 'absent', w: 'ready' }, witness: 'w' }), EMPTY_MEMORY, LIMITS);
    const second = judge(passOf({ states: { w: 'ready' }, at: 70_000 }), first.memory, LIMITS);
    assert.deepEqual(second.memory, EMPTY_MEMORY);
  });

  test('never lets go, in any history, a node for absence without proof', () => {
    const state = fc.constantFrom<State>('ready', 'running', 'stopped', 'absent', 'unknown', 'foreign');
    const world = fc.record({
      states: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), state),
      seen: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(world, { maxLength: 8 }), (worlds) => {
        let memory: GuardMemory = EMPTY_MEMORY;
        let former: (typeof worlds)[number] | undefined;
        for (const [index, { states, seen }] of worlds.entries()) {
          const pass = passOf({ states, at: index * 5000, ...(seen && { witness: 'w' }) });
          const verdict = judge(pass, memory, LIMITS);
          for (const [name, decision] of verdict.decisions) {
            if (decision.action !== 'delete') continue;
            assert.equal(states[name], 'absent');
            assert.equal(former?.states[name], 'absent');
            assert.ok(seen && former.seen);
          }
          memory = verdict.memory;
          former = { states, seen };
        }
      }),
    );
  });
});
