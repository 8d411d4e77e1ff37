import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type KubernetesSimulator, startKubernetesSimulator } from '../simulator.ts';
import { play, type Recorded } from './testing/player.ts';
import { TOKENS } from './testing/scenario.ts';
import { scenarios } from './testing/scenarios.ts';

/** Answers of kube-apiserver v1.36.3: see `testing/record.ts`. */
const recorded = readFileSync(path.join(import.meta.dirname, 'testing/recorded.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

describe('the simulator answers as kube-apiserver does', () => {
  let simulator: KubernetesSimulator;
  before(async () => {
    simulator = await startKubernetesSimulator({
      // As the server that was recorded.
      settings: { taintNewNodes: true },
      tokens: {
        [TOKENS.admin]: { user: 'admin', uid: 'admin-uid', groups: ['system:masters'] },
        [TOKENS.viewer]: { user: 'viewer', uid: 'viewer-uid', groups: ['viewers'] },
        [TOKENS.nobody]: { user: 'nobody', uid: 'nobody-uid' },
      },
    });
  });
  after(() => simulator.close());

  // One after the other: later scenarios look at what earlier ones made.
  for (const scenario of scenarios) {
    it(scenario.name, async () => {
      const wanted = recorded.filter((answer) => answer.scenario === scenario.name);
      assert.equal(wanted.length, scenario.steps.length, 'record anew: the scenario has changed');
      const answers = await play(simulator.url, scenario);
      for (const [index, answer] of answers.entries()) assert.deepEqual(answer, wanted[index]);
    });
  }
});
