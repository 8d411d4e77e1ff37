import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestCloud, type Fields } from '../src/testing/client.ts';
import { readRecordings } from './recordings.ts';

/** What a client decides by: whether a parameter exists, what it is, whether it must be there. */
function parameters(api: Fields): Readonly<Record<string, string>> {
  const all = api['params'] as readonly Fields[];
  return Object.fromEntries(
    all.map(({ name, type, required }) => [String(name), `${String(type)}${required === true ? ', required' : ''}`]),
  );
}

/** The only API in an answer of listApis. */
function apiIn(answer: Fields | undefined): Fields | undefined {
  const apis = answer?.['api'] as readonly Fields[] | undefined;
  return apis?.[0];
}

describe('listApis', () => {
  const recorded = readRecordings()
    .filter(({ command }) => command === 'listApis')
    .map(({ body, caller }) => ({
      caller,
      api: apiIn((body as Readonly<Record<string, Fields>>)['listapisresponse']),
    }));

  for (const { caller, api } of recorded) {
    if (!api) continue;
    it(`knows every parameter of ${String(api['name'])} that a real server names to ${caller}`, async () => {
      await using cloud = await TestCloud.start({ version: '4.20' });
      const client = caller === 'user' ? cloud.user : cloud.admin;
      const ours = apiIn(await client.call('listApis', { name: String(api['name']) }));
      assert.equal(ours?.['isasync'], api['isasync']);
      assert.deepEqual(parameters(ours ?? {}), parameters(api));
    });
  }

  it('was recorded for more than ten commands', () => {
    assert.ok(recorded.filter(({ api }) => api).length > 10);
  });
});
