import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isLeasewebNameOf, isNameOf, loadBalancerName, ruleName } from './names.ts';
import { LB, UID } from '../testing/service.ts';

describe('names', () => {
  it('are those of the Go CCM', () => {
    assert.equal(loadBalancerName(UID), LB);
    assert.equal(loadBalancerName(UID).length, 32);
    assert.equal(ruleName(LB, 'tcp-proxy', 443), `${LB}-tcp-proxy-443`);
  });

  it('belong to a load balancer when they begin with its name and a dash', () => {
    assert.ok(isNameOf(LB, `${LB}-80`));
    assert.ok(isNameOf(LB, `${LB.toUpperCase()}-tcp-80`));
    for (const name of [`x${LB}-tcp-80`, `${LB}0-tcp-80`, LB, 'web']) assert.ok(!isNameOf(LB, name), name);
  });

  it('of the Leaseweb fork name namespace and Service, after any cluster', () => {
    assert.ok(isLeasewebNameOf('default', 'web', 'K8s_svc_kubernetes_default_web-tcp-80'));
    assert.ok(isLeasewebNameOf('default', 'web', 'K8s_svc_my_own_default_web-tcp-proxy-443'));
    assert.ok(!isLeasewebNameOf('default', 'web', 'K8s_svc_kubernetes_default_web-2-tcp-80'));
    assert.ok(!isLeasewebNameOf('default', 'web', 'K8s_svc_kubernetes_prod_web-tcp-80'));
    assert.ok(!isLeasewebNameOf('default', 'web', 'x_default_web-tcp-80'));
  });
});
