import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, Scope } from '@cloudstack-ccm/base';
import type { Project } from '@cloudstack-ccm/cloudstack-client';
import { ProjectNotFoundError } from './errors.ts';
import { ProjectResolver } from './project.ts';

const ID = '1f688414-d509-4223-847c-b30715db4920';

function resolver(configured: string | undefined, ...projects: string[]) {
  const clock = new FakeClock();
  const asked: unknown[] = [];
  const client = {
    async listProjects(_scope: Scope, filter: unknown): Promise<readonly Project[]> {
      asked.push(filter);
      return projects.map((id) => ({ id, name: 'team-a', state: 'Active' }));
    },
  };
  const project = new ProjectResolver({ client, clock, configured: () => configured });
  return { asked, project, projects, get: () => project.get(Scope.root(clock)) };
}

test('without a project nothing is asked', async () => {
  const { asked, get } = resolver(undefined);
  assert.equal(await get(), undefined);
  assert.deepEqual(asked, []);
});

test('an id is taken as it is', async () => {
  const { asked, get } = resolver(ID);
  assert.equal(await get(), ID);
  assert.deepEqual(asked, []);
});

test('a name is looked up once for all', async () => {
  const { asked, get } = resolver('team-a', ID);
  assert.deepEqual(await Promise.all([get(), get()]), [ID, ID]);
  assert.equal(await get(), ID);
  assert.deepEqual(asked, [{ name: 'team-a', details: 'min', listAll: true }]);
});

test('a name that nobody has is told, and asked for again until it is there', async () => {
  const { get, project, projects } = resolver('team-a');
  await assert.rejects(get(), ProjectNotFoundError);
  assert.match(project.problem() ?? '', /^project team-a \(project-id\) is not visible to these credentials/);
  projects.push(ID);
  assert.equal(await get(), ID);
  assert.equal(project.problem(), undefined);
});

test('a name that several projects have is not guessed at', async () => {
  await assert.rejects(resolver('team-a', ID, 'another').get(), /^ProjectNotFoundError: 2 projects are named team-a/);
});
