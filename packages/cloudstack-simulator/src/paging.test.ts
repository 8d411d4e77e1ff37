import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from './api-error.ts';
import { like, pageOf } from './paging.ts';

const rows = Array.from({ length: 7 }, (_, index) => index + 1);

function refusal(page: number | undefined, pagesize: number | undefined): unknown {
  try {
    pageOf(rows, { page, pagesize }, 5);
  } catch (thrown) {
    return thrown instanceof ApiError ? thrown.message : thrown;
  }
  return undefined;
}

test('cuts the page asked for', () => {
  assert.deepEqual(pageOf(rows, { page: 2, pagesize: 3 }, 5), [4, 5, 6]);
  assert.deepEqual(pageOf(rows, { page: 9, pagesize: 3 }, 5), []);
});

test('takes a page of 0 or below for the first', () => {
  assert.deepEqual(pageOf(rows, { page: 0, pagesize: 2 }, 5), [1, 2]);
  assert.deepEqual(pageOf(rows, { page: -4, pagesize: 2 }, 5), [1, 2]);
});

test('stops silently at the limit when no page is asked for', () => {
  assert.deepEqual(pageOf(rows, {}, 5), [1, 2, 3, 4, 5]);
  assert.deepEqual(pageOf(rows, {}, -1), rows);
});

test('wants both page parameters or none, and no larger page than the limit', () => {
  assert.equal(refusal(1, undefined), '"pagesize" parameter is required when "page" is specified');
  assert.equal(refusal(undefined, 3), '"page" parameter is required when "pagesize" is specified');
  assert.equal(refusal(1, 6), "Page size can't exceed max allowed page size value: 5");
  assert.equal(refusal(1, -1), "Can't specify page parameter when pagesize is -1 (Unlimited)");
});

test('matches keywords as SQL does', () => {
  assert.equal(like('Node-10', 'node-1'), true);
  assert.equal(like('node-10', 'node_1'), true);
  assert.equal(like('node-10', 'n%0'), true);
  assert.equal(like('node-10', 'n.d'), false);
  assert.equal(like(undefined, ''), false);
});
