import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestCloud, type Fields } from '../testing/client.ts';

const SIZE = { minmembers: '0', maxmembers: '3', scaleuppolicyids: 'up', scaledownpolicyids: 'down', vmprofileid: 'p' };

/** A rule, and a group that feeds it. */
async function start(): Promise<{ cloud: TestCloud; ruleId: string; group: Fields; address: string }> {
  const cloud = await TestCloud.start();
  const { user } = cloud;
  const associated = await cloud.result(user, 'associateIpAddress', { networkid: cloud.id('networks', 'k8s-net') });
  const address = String((associated['ipaddress'] as Fields)['id']);
  const rule = { algorithm: 'source', name: 'web', publicport: '80', privateport: '80', publicipid: address };
  await cloud.result(user, 'createLoadBalancerRule', rule);
  const ruleId = cloud.id('loadBalancerRules', 'web');
  const made = await cloud.result(user, 'createAutoScaleVmGroup', { lbruleid: ruleId, ...SIZE, name: 'grown' });
  return { cloud, ruleId, group: made['autoscalevmgroup'] as Fields, address };
}

describe('autoscale groups', () => {
  it('take a rule away from those who would change its members by hand, or delete it', async () => {
    const { cloud, ruleId, address } = await start();
    await using _ = cloud;
    const { user } = cloud;
    const member = { id: ruleId, virtualmachineids: cloud.id('virtualMachines', 'node-1') };
    const assigned = await cloud.failure(user, 'assignToLoadBalancerRule', member);
    assert.deepEqual(assigned, { code: 530, text: 'Failed to assign load balancer rule' });
    assert.equal((await cloud.failure(user, 'removeFromLoadBalancerRule', member)).code, 530);
    const deleted = await cloud.failure(user, 'deleteLoadBalancerRule', { id: ruleId });
    const number = cloud.simulator.state.loadBalancerRules.get(ruleId)?.internalId;
    const text = `Cannot delete load balancer rule ${number} because it is being used by 1 Autoscale VM group.`;
    assert.deepEqual(deleted, { code: 530, text });
    assert.equal((await cloud.failure(user, 'disassociateIpAddress', { id: address })).code, 530);
  });

  it('are listed with their rule, to their owner only', async () => {
    const { cloud, ruleId, group } = await start();
    await using _ = cloud;
    assert.deepEqual(
      [group['name'], group['lbruleid'], group['state'], group['interval']],
      ['grown', ruleId, 'ENABLED', 30],
    );
    assert.deepEqual(await cloud.user.list('listAutoScaleVmGroups', { lbruleid: ruleId, policyid: 'up' }), [group]);
    assert.deepEqual(await cloud.user.list('listAutoScaleVmGroups', { keyword: 'nothing' }), []);
    const autoscalevmgroupid = String(group['id']);
    assert.deepEqual(await cloud.user.list('listVirtualMachines', { autoscalevmgroupid }), []);
    assert.deepEqual(await cloud.admin.list('listAutoScaleVmGroups'), []);
    assert.equal((await cloud.admin.list('listAutoScaleVmGroups', { listall: 'true' })).length, 1);
  });

  it('give the rule back when they are deleted', async () => {
    const { cloud, ruleId, group } = await start();
    await using _ = cloud;
    await cloud.result(cloud.user, 'deleteAutoScaleVmGroup', { id: String(group['id']) });
    assert.deepEqual(await cloud.user.list('listAutoScaleVmGroups'), []);
    await cloud.result(cloud.user, 'deleteLoadBalancerRule', { id: ruleId });
  });

  it('share a rule with nobody, and need a size that can be', async () => {
    const { cloud, ruleId, group } = await start();
    await using _ = cloud;
    const { user } = cloud;
    const refusal = async (more = {}): Promise<unknown> =>
      (await user.refused('createAutoScaleVmGroup', { lbruleid: ruleId, ...SIZE, ...more })).text;
    assert.match(String(await refusal()), /^an AutoScaleVmGroup is already attached to the lb rule/);
    assert.match(String(await refusal({ minmembers: '4' })), /^minmembers cannot be greater than maxmembers/);
    assert.match(String(await refusal({ maxmembers: '-1' })), /^maxmembers is an invalid value: -1$/);
    await cloud.result(user, 'deleteAutoScaleVmGroup', { id: String(group['id']) });
    const member = { id: ruleId, virtualmachineids: cloud.id('virtualMachines', 'node-1') };
    await cloud.result(user, 'assignToLoadBalancerRule', member);
    assert.match(String(await refusal()), /^there are Vms already bound to the specified LoadBalancing Rule/);
  });
});
