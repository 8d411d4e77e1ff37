import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAnswer } from './answer.ts';
import {
  CapacityError,
  CloudStackApiError,
  ConflictError,
  ForbiddenError,
  LimitExceededError,
  NotFoundError,
  NotJsonError,
  RateLimitedError,
  UnauthorizedError,
} from './errors.ts';
import { recorded } from './testing/recorded.ts';

const QUESTION = { command: 'listZones', host: 'cloud.example.test:8080' };

function refusal(name: string): CloudStackApiError {
  try {
    readAnswer(QUESTION, recorded(name));
  } catch (error) {
    if (error instanceof CloudStackApiError) return error;
    throw error;
  }
  throw new Error(`${name} is no refusal`);
}

test('takes what is inside the envelope, whatever its key', () => {
  assert.deepEqual(readAnswer(QUESTION, recorded('createLBStickinessPolicy/source-based')), {
    id: '86988ce9-6b0c-4862-8a25-57f527e961d0',
    jobid: '5cdd6d05-45a8-4e76-aeff-d545b637ef80',
  });
});

for (const [name, kind, code] of [
  ['auth/wrong-secret', UnauthorizedError, 401],
  ['auth/unknown-command', UnauthorizedError, 401],
  ['auth/throttled', RateLimitedError, 429],
  ['listVirtualMachines/unknown-id', NotFoundError, 431],
  ['auth/admin-command-as-user', ForbiddenError, 432],
  ['associateIpAddress/limit-reached', LimitExceededError, 532],
  ['associateIpAddress/given-address-garbage', CapacityError, 533],
  ['createLoadBalancerRule/while-deleting-state', ConflictError, 537],
] as const) {
  test(`a recorded refusal ${name} becomes a ${kind.name}`, () => {
    const error = refusal(name);
    assert.equal(error.constructor, kind);
    assert.equal(error.errorCode, code);
    assert.equal(error.command, 'listZones');
  });
}

test('a refusal has the form that operators know', () => {
  assert.equal(
    refusal('associateIpAddress/given-address-garbage').message,
    'CloudStack API error 533 (CSExceptionErrorCode: 9999): Insufficient address capacity',
  );
  assert.equal(
    refusal('auth/wrong-secret').message,
    'CloudStack API error 401 (CSExceptionErrorCode: 0): unable to verify user credentials and/or request signature',
  );
});

test('a refusal without a text is a refusal all the same', () => {
  const error = refusal('uploadSslCert/garbage');
  assert.equal(error.errorCode, 530);
  assert.equal(error.text, 'no reason given');
});

test('reads how long CloudStack wants us to wait', () => {
  const text = 'The given user has reached his/her account api limit, please retry after [637] ms.';
  const details = { command: 'x', errorCode: 429, csErrorCode: 9999, jobId: undefined };
  assert.equal(new RateLimitedError({ ...details, text }).retryAfterMs, 637);
  assert.equal(new RateLimitedError({ ...details, text: 'slow down' }).retryAfterMs, undefined);
});

for (const [what, body, status] of [
  ['a page of a proxy', '<html>Bad gateway</html>', 502],
  ['a login page with status 200', '<!doctype html>', 200],
  ['an empty body', '', 200],
  ['the JSON of something else', '{"message":"no","status":503}', 503],
  ['a JSON list', '[1]', 200],
  ['a JSON object without an envelope', '{"count":1,"zone":[]}', 200],
  ['an error status with a JSON that is no refusal', '{"error":{}}', 500],
] as const) {
  test(`${what} is told apart from CloudStack, with host, status and content type`, () => {
    const contentType = 'text/html;charset=utf-8';
    assert.throws(
      () => readAnswer(QUESTION, { status, contentType, body }),
      (error) =>
        error instanceof NotJsonError &&
        error.message.includes(QUESTION.host) &&
        error.message.includes(`HTTP ${status}`) &&
        error.message.includes(contentType),
    );
  });
}
