import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestCloud } from './testing/client.ts';

describe('names in filters', () => {
  it('match without regard to case, as the database compares them', async () => {
    await using cloud = await TestCloud.start();
    const found = async (command: string, name: string): Promise<unknown[]> =>
      (await cloud.admin.list(command, { name })).map((item) => item['name']);
    assert.deepEqual(await found('listZones', 'ZONE-A'), ['zone-a']);
    assert.deepEqual(await found('listServiceOfferings', 'small instance'), ['Small Instance']);
    assert.deepEqual(await found('listNetworkOfferings', 'defaultl2networkoffering'), ['DefaultL2NetworkOffering']);
    assert.deepEqual(await found('listZones', 'zone'), []);
  });
});
