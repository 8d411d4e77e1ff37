import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { publicIp, OWNER } from '../load-balancer/testing/builders.ts';
import { marksOf } from '../ownership/marks.ts';
import { parseTime, type Holding } from './record.ts';
import { decideRelease } from './release.ts';

const ADDRESS = publicIp();
const OURS: Holding = {
  state: 'held',
  id: ADDRESS.id,
  address: ADDRESS.ipAddress,
  origin: 'controller',
  allocated: parseTime(ADDRESS.allocated),
};
const HIS: Holding = { ...OURS, origin: 'user' };
const BY = { owner: OWNER, keepIp: false };

describe('an address that is not used any more', () => {
  it('is released when we took it, and nothing is on it', () => {
    assert.deepEqual(decideRelease(OURS, ADDRESS, [], BY), { kind: 'release' });
  });

  it('is left alone when it is gone already', () => {
    assert.deepEqual(decideRelease(OURS, undefined, [], BY), { kind: 'leave', tell: undefined });
    const free = publicIp({ state: 'Free', allocated: undefined });
    assert.deepEqual(decideRelease(OURS, free, [], BY), { kind: 'leave', tell: undefined });
  });

  it('stays when it is the user’s', () => {
    assert.deepEqual(decideRelease(HIS, ADDRESS, [], BY), { kind: 'leave', tell: undefined });
  });

  it('is released by the last of several Services, if it was taken for one of this cluster', () => {
    const tags = marksOf({ ...OWNER, serviceUid: 'another' });
    assert.deepEqual(decideRelease(HIS, publicIp({ tags }), [], BY), { kind: 'release' });
    const elsewhere = marksOf({ ...OWNER, clusterUid: 'cluster-2' });
    assert.equal(decideRelease(HIS, publicIp({ tags: elsewhere }), [], BY).kind, 'leave');
  });

  it('stays when it was released and taken again since', () => {
    const again = publicIp({ allocated: '2026-12-24T18:00:00+0000' });
    assert.deepEqual(decideRelease(OURS, again, [], BY), { kind: 'leave', tell: undefined });
    const sameMoment = publicIp({ allocated: '2026-12-01T00:20:31+0200' });
    assert.equal(
      decideRelease(OURS, sameMoment, [], BY).kind,
      'release',
      'the server’s zone has changed, not the time',
    );
  });

  it('waits while something works on it', () => {
    assert.equal(decideRelease(OURS, publicIp({ pendingJobId: 'job' }), [], BY).kind, 'wait');
    assert.equal(decideRelease(OURS, publicIp({ state: 'Releasing' }), [], BY).kind, 'wait');
  });

  it('stays, and the user is told why, when something is on it or he wants to keep it', () => {
    const cases = [
      [decideRelease(OURS, ADDRESS, ['rule a', 'rule b'], BY), /carries rule a, rule b$/],
      [decideRelease(OURS, publicIp({ isSourceNat: true }), [], BY), /source NAT/],
      [decideRelease(OURS, publicIp({ isStaticNat: true }), [], BY), /static NAT/],
      [decideRelease(OURS, ADDRESS, [], { ...BY, keepIp: true }), /the Service says so/],
    ] as const;
    for (const [decision, words] of cases) {
      assert.ok(decision.kind === 'leave');
      assert.match(decision.tell ?? '', words);
    }
  });
});
