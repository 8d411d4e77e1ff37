import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Network, NetworkService } from '@cloudstack-ccm/cloudstack-client';
import { networkFacts } from './network-facts.ts';
import { apiNetwork } from '../testing/builders.ts';

function withServices(...services: readonly (Partial<NetworkService> & { readonly name: string })[]): Network {
  const full = services.map((one) => ({ providers: [], capabilities: new Map<string, string>(), ...one }));
  return apiNetwork({ services: new Map(full.map((one) => [one.name, one])) });
}

describe('what load balancing depends on in a network', () => {
  it('is told by its services: the firewall comes before the network ACL', () => {
    assert.equal(networkFacts(withServices({ name: 'Firewall' }, { name: 'NetworkACL' })).access, 'firewall');
    assert.equal(networkFacts(withServices({ name: 'NetworkACL' })).access, 'network-acl');
    const bare = networkFacts(withServices({ name: 'Dhcp' }));
    assert.deepEqual([bare.access, bare.hasLoadBalancing, bare.virtualRouter], ['none', false, false]);
  });

  it('tells a virtual router by its name, or by its protocols where no provider is named', () => {
    const isRouter = (service: Partial<NetworkService>): boolean =>
      networkFacts(withServices({ name: 'Lb', ...service })).virtualRouter;
    assert.equal(isRouter({ providers: ['VpcVirtualRouter'] }), true);
    assert.equal(
      isRouter({ providers: ['Netscaler'], capabilities: new Map([['supportedprotocols', 'tcp-proxy']]) }),
      false,
    );
    assert.equal(isRouter({ capabilities: new Map([['supportedprotocols', 'tcp, udp, tcp-proxy']]) }), true);
    assert.equal(isRouter({ capabilities: new Map([['supportedprotocols', 'tcp,udp,http']]) }), false);
  });

  it('holds the stickiness methods, and none where they cannot be read', () => {
    const methods = (text: string): unknown =>
      networkFacts(withServices({ name: 'Lb', capabilities: new Map([['supportedstickinessmethods', text]]) }))
        .stickinessMethods;
    const text = '[{"methodname":"LbCookie","paramlist":[{"paramname":"nocache","required":false,"isflag":true}]}, 7]';
    assert.deepEqual(methods(text), [
      { name: 'LbCookie', parameters: [{ name: 'nocache', required: false, flag: true }] },
    ]);
    for (const broken of ['', '{', '{"methodname":"x"}', 'null']) assert.deepEqual(methods(broken), [], broken);
  });
});
