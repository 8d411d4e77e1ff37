import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { FakeClock, Scope } from '@cloudstack-ccm/base';
import type { SubjectAccessReviewSpec, SubjectAccessReviewStatus } from '@cloudstack-ccm/kubernetes';

import { Authorizer } from './authorization.ts';
import { ANONYMOUS } from './identity.ts';

const JANE = { user: 'jane', uid: '1', groups: ['system:authenticated'], extra: {} };

function scene(allow: (spec: SubjectAccessReviewSpec) => boolean, alwaysAllowPaths = ['/healthz']) {
  const asked: SubjectAccessReviewSpec[] = [];
  const clock = new FakeClock();
  const reviewAccess = async (_scope: Scope, spec: SubjectAccessReviewSpec): Promise<SubjectAccessReviewStatus> => {
    asked.push(spec);
    return { allowed: allow(spec), denied: false, reason: 'the rules say so', evaluationError: '' };
  };
  const authorizer = new Authorizer({
    client: { reviewAccess },
    alwaysAllowPaths,
    allowedTtlMs: 10_000,
    deniedTtlMs: 5000,
    clock,
  });
  const may = async (path: string, identity = JANE): Promise<boolean> =>
    (await authorizer.mayAsk(Scope.root(), identity, path, 'get')).allowed;
  return { authorizer, may, asked, clock };
}

describe('Access', () => {
  test('is free to administrators and on open paths, without a question', async () => {
    const { may, asked } = scene(() => false);
    assert.equal(await may('/healthz', ANONYMOUS as typeof JANE), true);
    assert.equal(await may('/metrics', { ...JANE, groups: ['system:masters'] }), true);
    assert.equal(await may('/healthz/x'), false);
    assert.equal(asked.length, 1);
  });

  test('is free below a path with a star, with or without its slash', async () => {
    const { may } = scene(() => false, ['open/*']);
    assert.equal(await may('/open/a/b'), true);
    assert.equal(await may('/opened'), false);
  });

  test('cannot be told for a star elsewhere', () => {
    assert.throws(() => scene(() => false, ['/a*b']), { message: 'only trailing * allowed in "a*b"' });
  });

  test('is otherwise what the API server says, which is remembered for a while', async () => {
    const { may, asked, clock } = scene(({ user }) => user === 'jane');
    assert.equal(await may('/metrics'), true);
    assert.equal(await may('/metrics'), true);
    assert.deepEqual(asked, [{ ...JANE, nonResourceAttributes: { path: '/metrics', verb: 'get' } }]);
    assert.equal(await may('/metrics', { ...JANE, user: 'joe' }), false);
    await clock.advance(5000);
    await may('/metrics', { ...JANE, user: 'joe' });
    await may('/metrics');
    assert.equal(asked.length, 3);
  });

  test('is refused with the reason given', async () => {
    const { authorizer } = scene(() => false);
    assert.deepEqual(await authorizer.mayAsk(Scope.root(), JANE, '/metrics', 'get'), {
      allowed: false,
      reason: 'the rules say so',
    });
  });

  test('is refused when there is nobody to ask', async () => {
    const authorizer = new Authorizer({
      client: undefined,
      alwaysAllowPaths: [],
      allowedTtlMs: 1,
      deniedTtlMs: 1,
      clock: new FakeClock(),
    });
    assert.deepEqual(await authorizer.mayAsk(Scope.root(), JANE, '/metrics', 'get'), { allowed: false, reason: '' });
  });
});
