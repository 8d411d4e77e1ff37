import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PublicIp } from '@cloudstack-ccm/cloudstack-client';
import { publicIp } from '../load-balancer/testing/builders.ts';
import { recoverIntent } from './recover.ts';
import { usability } from './usability.ts';

const NETWORK = { id: 'net-iso', name: 'net-iso', vpcId: undefined };
const TIER = { id: 'net-tier', name: 'net-tier', vpcId: 'vpc-1' };

function inNetwork(changes: Partial<PublicIp>, allowSourceNat = true): string {
  const use = usability(publicIp(changes), NETWORK, { allowSourceNat });
  return 'reason' in use ? `${use.kind}: ${use.reason}` : use.kind;
}

function inTier(changes: Partial<PublicIp>): string {
  const address = publicIp({ vpcId: 'vpc-1', associatedNetworkId: undefined, ...changes });
  const use = usability(address, TIER, { allowSourceNat: true });
  return 'reason' in use ? `${use.kind}: ${use.reason}` : use.kind;
}

describe('whether a load balancer can use an address', () => {
  it('of its network, or a free one', () => {
    assert.equal(inNetwork({}), 'usable');
    assert.equal(inNetwork({ state: 'Free', allocated: undefined, associatedNetworkId: undefined }), 'free');
  });

  it('whose record contradicts itself: no', () => {
    assert.match(
      inNetwork({ allocated: undefined }),
      /^unusable: .*contradicts itself: state Allocated, but no allocation date/,
    );
    assert.match(inNetwork({ state: 'Free' }), /^unusable: .*contradicts itself: state Free, but the allocation date/);
  });

  it('on its way somewhere: later', () => {
    for (const state of ['Allocating', 'Releasing', 'Reserved'])
      assert.match(inNetwork({ state }), /^changing: /, state);
  });

  it('with another purpose, or in another place: no', () => {
    assert.match(inNetwork({ isStaticNat: true, virtualMachineId: 'vm-7' }), /static NAT to virtual machine vm-7/);
    assert.match(inNetwork({ isSystem: true }), /belongs to CloudStack itself/);
    assert.match(
      inNetwork({ associatedNetworkId: 'n2', associatedNetworkName: 'other' }),
      /with network other, not with net-iso/,
    );
    assert.match(inNetwork({ associatedNetworkId: undefined, vpcId: 'vpc-9' }), /with VPC vpc-9/);
  });

  it('that serves source NAT: only in an isolated network, and only if that is allowed', () => {
    assert.equal(inNetwork({ isSourceNat: true }), 'usable');
    assert.match(inNetwork({ isSourceNat: true }, false), /^unusable: .*source NAT address of network net-iso/);
    assert.match(inTier({ isSourceNat: true }), /^unusable: .*source NAT address of the VPC/);
  });

  it('of a VPC: if no rule binds it to another tier', () => {
    assert.equal(inTier({}), 'usable');
    assert.equal(inTier({ associatedNetworkId: 'net-tier' }), 'usable');
    assert.match(
      inTier({ associatedNetworkId: 'n2', associatedNetworkName: 'tier-2' }),
      /bound to network tier-2 by a rule/,
    );
    assert.match(inTier({ vpcId: 'vpc-2' }), /not with the VPC of net-tier/);
  });
});

describe('an association whose result was never noted', () => {
  const place = { networkId: 'net-iso', vpcId: undefined };
  const recover = (address: PublicIp | undefined, bare = true, marked = false): string =>
    recoverIntent(address, bare, place, () => marked).kind;

  it('was carried out when the address is bare, in our network, and bears nobody’s mark', () => {
    assert.equal(recover(publicIp()), 'done');
  });

  it('was not when the address is still free: it is taken then', () => {
    assert.equal(recover(publicIp({ state: 'Free', allocated: undefined })), 'retry');
  });

  it('was somebody else’s when the address is elsewhere, out of sight, in use or marked', () => {
    assert.equal(recover(undefined), 'lost');
    assert.equal(recover(publicIp({ associatedNetworkId: 'n2' })), 'lost');
    assert.equal(recover(publicIp({ isStaticNat: true })), 'lost');
    assert.equal(recover(publicIp(), false), 'lost');
    assert.equal(recover(publicIp(), true, true), 'lost');
  });

  it('may still be under way, though not elsewhere', () => {
    assert.equal(recover(publicIp({ state: 'Allocating' })), 'wait');
    assert.equal(recover(publicIp({ state: 'Allocating', associatedNetworkId: undefined })), 'wait');
    assert.equal(recover(publicIp({ state: 'Allocating', associatedNetworkId: 'n2' })), 'lost');
  });
});
