import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Caller } from './caller.ts';
import { goControllerScene } from './go-ccm-scene.ts';
import { readControllerCalls } from './recordings.ts';
import { Replay } from './replay.ts';
import { ContractWorld } from './world.ts';

/** Plays what the Go controller sent to a real server, at its pace. @returns the differences. */
async function play(kind: 'isolated' | 'vpc'): Promise<string[]> {
  await using world = await ContractWorld.start({ scene: goControllerScene, jobMs: 400 });
  using caller = new Caller(world.simulator.port);
  const replay = new Replay(world, caller, []);
  const differences: string[] = [];
  for (const call of readControllerCalls(kind)) {
    const outcome = await replay.play(call);
    differences.push(...outcome.differences.map((difference) => `${call.name}: ${difference}`));
  }
  return differences;
}

describe('the calls that the Go controller 1.2.0 makes', () => {
  it('get the answers of a real server in an isolated network', async () => {
    assert.deepEqual(await play('isolated'), []);
  });

  it('get the answers of a real server in a VPC tier', async () => {
    assert.deepEqual(await play('vpc'), []);
  });
});
