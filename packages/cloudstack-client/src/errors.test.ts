import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CancelledError, type CodedError, DeadlineExceededError } from '@cloudstack-ccm/base';
import * as errors from './errors.ts';

const REFUSAL = { command: 'createFirewallRule', csErrorCode: 0, jobId: undefined };

test('each class of error has a code of its own', () => {
  const answer = { command: 'x', host: 'h', status: 200, contentType: '' };
  const refused = { ...REFUSAL, errorCode: 530, text: '' };
  const one: readonly CodedError[] = [
    ...[401, 429, 430, 432, 532, 533, 534, 537, 530].map((errorCode) => errors.apiError({ ...refused, errorCode })),
    new errors.NotFoundError(refused),
    new errors.JobInterruptedError(refused),
    new errors.JobTimeoutError('x', 'job', 1),
    new errors.NotJsonError(answer),
    new errors.DecodeError('x', 'is wrong'),
    new errors.AnswerTooLargeError('x', 'h', 1),
    new errors.IncompleteListError('x', 1, 2),
    new errors.TransportError({ ...answer, reason: '', what: '', sent: 'no' }),
    new errors.WriteFencedError('x'),
  ];
  const classes = Object.keys(errors).filter((name) => name.endsWith('Error') && name !== 'apiError');
  assert.deepEqual(one.map((error) => error.constructor.name).sort(), classes.sort());
  assert.equal(new Set(one.map((error) => error.code)).size, classes.length);
});

test('an unknown id is told apart from other wrong parameters, whatever the parameter is called', () => {
  const unknown = (parameter: string): string =>
    `Unable to execute API command deleteloadbalancerrule due to invalid value. Invalid parameter ${parameter} value=x due to incorrect long value format, or entity does not exist or due to incorrect parameter annotation for the field in api cmd class.`;
  assert.ok(errors.apiError({ ...REFUSAL, errorCode: 431, text: unknown('id') }) instanceof errors.NotFoundError);
  assert.ok(
    errors.apiError({ ...REFUSAL, errorCode: 431, text: unknown('ipaddressid') }) instanceof errors.NotFoundError,
  );
  const other = errors.apiError({ ...REFUSAL, errorCode: 431, text: 'CIDR [x] is invalid.' });
  assert.equal(other.constructor, errors.InvalidParameterError);
});

for (const [code, kind] of [
  [430, errors.InvalidParameterError],
  [531, errors.ForbiddenError],
  [534, errors.UnavailableError],
  [535, errors.LimitExceededError],
  [530, errors.CloudStackApiError],
  [536, errors.CloudStackApiError],
] as const) {
  test(`code ${code} is a ${kind.name}`, () => {
    assert.equal(errors.apiError({ ...REFUSAL, errorCode: code, text: 't' }).constructor, kind);
  });
}

test('tells after which errors a command may have been carried out', () => {
  const transport = { command: 'x', host: 'h', reason: '', what: 'socket hang up' };
  const may: readonly unknown[] = [
    new errors.TransportError({ ...transport, sent: 'maybe' }),
    new errors.NotJsonError({ command: 'x', host: 'h', status: 504, contentType: '' }),
    new DeadlineExceededError('x', 1),
    new CancelledError('x'),
    new errors.JobTimeoutError('x', 'job', 1),
  ];
  const not: readonly unknown[] = [
    new errors.TransportError({ ...transport, sent: 'no' }),
    errors.apiError({ ...REFUSAL, errorCode: 537, text: 't' }),
    new errors.WriteFencedError('x'),
  ];
  assert.deepEqual(
    may.map(errors.mayHaveHappened),
    may.map(() => true),
  );
  assert.deepEqual(
    not.map(errors.mayHaveHappened),
    not.map(() => false),
  );
});
