import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCloud, type Fields } from '../testing/client.ts';

test('an update of a stickiness policy shows it, leaves an event, and is for its owner', async () => {
  await using cloud = await TestCloud.start();
  const { user, admin } = cloud;
  const { ipaddress } = await cloud.result(user, 'associateIpAddress', { networkid: cloud.id('networks', 'k8s-net') });
  const rule = { algorithm: 'source', name: 'web', publicport: '80', privateport: '80' };
  await cloud.result(user, 'createLoadBalancerRule', { ...rule, publicipid: String((ipaddress as Fields)['id']) });
  const lbruleid = cloud.id('loadBalancerRules', 'web');
  const wanted = { lbruleid, name: 'sticky', methodname: 'SourceBased' };
  const made = await cloud.result(user, 'createLBStickinessPolicy', wanted);
  const [policy] = (made['stickinesspolicies'] as Fields)['stickinesspolicy'] as readonly Fields[];
  const id = String(policy?.['id']);
  const updated = await cloud.result(user, 'updateLBStickinessPolicy', { id });
  assert.deepEqual(updated['stickinesspolicies'], made['stickinesspolicies']);
  assert.equal((await user.list('listEvents', { type: 'LB.STICKINESSPOLICY.UPDATE' })).length, 1);
  assert.equal((await admin.list('listEvents', { type: 'LB.STICKINESSPOLICY.UPDATE' })).length, 0);
  assert.equal((await user.refused('updateLBHealthCheckPolicy', { id })).code, 431);
});
