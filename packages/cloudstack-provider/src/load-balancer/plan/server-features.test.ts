import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { serverFeatures } from './server-features.ts';

describe('what a version can do', () => {
  it('is read from the first two numbers, and an unknown one counts as the oldest', () => {
    assert.equal(serverFeatures('4.22.0.0-SNAPSHOT').changeRuleSourceCidrs, true);
    assert.equal(serverFeatures('4.21.0.0').changeRuleSourceCidrs, false);
    assert.equal(serverFeatures('4.21.0.0').ruleSourceCidrs, true);
    assert.equal(serverFeatures('4.9').ruleSourceCidrs, false);
    assert.equal(serverFeatures('5').applyProtocolChange, true);
    assert.equal(serverFeatures('22.0').ruleSourceCidrs, true);
    for (const version of [undefined, '', 'unknown']) assert.equal(serverFeatures(version).ruleSourceCidrs, false);
  });
});
