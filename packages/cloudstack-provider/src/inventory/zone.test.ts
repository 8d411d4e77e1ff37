import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scope } from '@cloudstack-ccm/base';
import { machine } from '../instances/testing/machines.ts';
import { ZoneNotFoundError } from './errors.ts';
import { findZone } from './zone.ts';

/** Two machines of one name may be in two zones. */
const MACHINES = [
  machine('vm-1', { name: 'node-1', zoneName: 'zone-b' }),
  machine('vm-2', { name: 'twin', zoneName: 'zone-a' }),
  machine('vm-3', { name: 'twin', zoneName: 'zone-b' }),
];

function find(zones: readonly string[], configured?: string, hostNames: readonly string[] = []): Promise<string> {
  return findZone(Scope.root(), {
    client: {
      listZones: async (_scope, { name }) =>
        zones
          .filter((zone) => name === undefined || zone === name)
          .map((zone) => ({ id: zone, name: zone, networkType: '' })),
    },
    inventory: { machinesByName: async (_scope, name) => MACHINES.filter((vm) => vm.name === name) },
    configured: () => configured,
    hostNames,
  });
}

test('takes the configured zone, if there is one of that name', async () => {
  assert.equal(await find(['zone-a', 'zone-b'], 'zone-b'), 'zone-b');
  await assert.rejects(find(['zone-a'], 'zone-x'), /^ZoneNotFoundError: zone zone-x is not visible/);
});

test('takes the only zone', async () => assert.equal(await find(['zone-a']), 'zone-a'));

test('takes the zone of the machine that it runs on when there are several', async () => {
  assert.equal(await find(['zone-a', 'zone-b'], undefined, ['pod-xyz', 'node-1']), 'zone-b');
});

test('says what it looked for when it cannot tell', async () => {
  await assert.rejects(
    find(['zone-a', 'zone-b'], undefined, ['pod-xyz', 'twin']),
    (error) =>
      error instanceof ZoneNotFoundError &&
      error.message ===
        'could not find CloudStack instance with name pod-xyz or twin for retrieving the zone: set zone in cloud-config',
  );
});
