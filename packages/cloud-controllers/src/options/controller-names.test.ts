import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import {
  aliasOf,
  canonicalControllers,
  CONTROLLER_NAMES,
  isControllerEnabled,
  unknownControllers,
} from './controller-names.ts';

const enabled = (...list: string[]): string[] => CONTROLLER_NAMES.filter((name) => isControllerEnabled(name, list));

describe('The list of controllers', () => {
  test('takes aliases and keeps order and duplicates (O7)', () => {
    const list = ['service-lb-controller', '-service', 'route', '-cloud-node-lifecycle-controller'];
    assert.deepEqual(unknownControllers(list), []);
    assert.deepEqual(canonicalControllers(list), [
      'service-lb-controller',
      '-service-lb-controller',
      'node-route-controller',
      '-cloud-node-lifecycle-controller',
    ]);
  });

  test('knows exactly four names, all well-formed (O12)', () => {
    assert.deepEqual([...CONTROLLER_NAMES].sort(), [
      'cloud-node-controller',
      'cloud-node-lifecycle-controller',
      'node-route-controller',
      'service-lb-controller',
    ]);
    for (const name of CONTROLLER_NAMES) assert.match(name, /^[a-z]([-a-z]*[a-z])?-controller$/);
    assert.equal(aliasOf('service-lb-controller'), 'service');
  });

  test('switches everything off when it only names what is off (O13)', () => {
    assert.deepEqual(enabled('-route'), []);
    assert.deepEqual(enabled(), []);
  });

  test('lets the first mention decide', () => {
    assert.deepEqual(enabled('service', '-service'), ['service-lb-controller']);
    assert.deepEqual(enabled('-service', 'service-lb-controller', '*').includes('service-lb-controller'), false);
  });

  test('switches on all but those named with a dash', () => {
    assert.deepEqual(enabled('*', '-route'), [
      'cloud-node-controller',
      'cloud-node-lifecycle-controller',
      'service-lb-controller',
    ]);
  });
});
