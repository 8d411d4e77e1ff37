import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestCloud } from '../src/testing/client.ts';
import { Bindings } from './bindings.ts';
import { Comparison } from './comparison.ts';
import { LEFT_OVERS, leftOver } from './left-overs.ts';

describe('the worlds that other controllers left behind', () => {
  for (const name of LEFT_OVERS) {
    it(`are built as a real server showed them: ${name}`, async () => {
      const { answers, scene, services } = leftOver(name);
      await using cloud = await TestCloud.start({ version: '4.20', scene });
      const comparison = new Comparison(new Bindings());
      for (const [call, recorded] of Object.entries(answers)) {
        const [command = '', rule] = call.split(' ');
        const members = rule === undefined ? {} : { id: cloud.id('loadBalancerRules', rule), lbvmips: 'true' };
        const { text } = await cloud.as('ccm').send({ command, listall: 'true', ...members });
        comparison.compare(recorded, JSON.parse(text));
      }
      assert.deepEqual(comparison.differences, []);
      assert.ok(services.length > 0);
    });
  }
});
