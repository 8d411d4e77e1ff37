import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ServiceView } from '@cloudstack-ccm/cloud-controllers';
import { PREFIX } from './annotations.ts';
import { port, view } from '../testing/service.ts';
import { readWish, type Wish } from './wish.ts';

function wishOf(changes: Partial<ServiceView>): Wish {
  const { wish, problems } = readWish(view(changes));
  assert.deepEqual(problems, []);
  assert.ok(wish);
  return wish;
}

function problemsOf(changes: Partial<ServiceView>): readonly string[] {
  const { wish, problems } = readWish(view(changes));
  assert.equal(wish, undefined);
  return problems.map(({ message }) => message);
}

describe('what a Service wishes for', () => {
  it('is told per port, the PROXY protocol only for TCP', () => {
    const ports = [port('80:31080', 'HTTP'), port('53/UDP:31053'), port('443')];
    const annotations = { [`${PREFIX}proxy-protocol`]: 'true' };
    assert.deepEqual(
      wishOf({ ports, annotations }).ports.map(({ protocol, publicPort, http }) => [protocol, publicPort, http]),
      [
        ['tcp-proxy', 80, true],
        ['udp', 53, false],
        ['tcp-proxy', 443, false],
      ],
    );
  });

  it('takes its algorithm from the annotation, else from the session affinity', () => {
    const annotations = { [`${PREFIX}algorithm`]: 'leastconn' };
    assert.equal(wishOf({}).algorithm, 'roundrobin');
    assert.equal(wishOf({ sessionAffinity: 'ClientIP' }).algorithm, 'source');
    assert.equal(wishOf({ sessionAffinity: 'ClientIP', annotations }).algorithm, 'leastconn');
  });

  it('takes the address from the annotation, else from the spec', () => {
    const annotations = { [`${PREFIX}address`]: '203.0.113.9' };
    assert.equal(wishOf({}).requestedAddress, undefined);
    assert.deepEqual(wishOf({ loadBalancerIp: '203.0.113.8' }).requestedAddress, {
      address: '203.0.113.8',
      field: 'spec.loadBalancerIP',
    });
    assert.equal(wishOf({ loadBalancerIp: '203.0.113.8', annotations }).requestedAddress?.address, '203.0.113.9');
  });

  it('has no source ranges when the list is empty', () => {
    assert.equal(wishOf({}).sourceRanges, undefined);
    assert.deepEqual(wishOf({ loadBalancerSourceRanges: [' 192.0.2.7/24 '] }).sourceRanges, ['192.0.2.0/24']);
  });
});

describe('a Service that cannot be served as it is written', () => {
  it('names each problem by its field, all at once, in the words that operators search for', () => {
    assert.deepEqual(problemsOf({ ports: [] }), ['requested load balancer with no ports']);
    const all = problemsOf({
      ports: [port('80/SCTP'), { ...port('81'), nodePort: 0 }],
      sessionAffinity: 'Other',
      loadBalancerSourceRanges: ['intern'],
      loadBalancerIp: 'lb',
      ipFamilies: ['IPv6'],
      annotations: { [`${PREFIX}keep-ip`]: 'maybe' },
    });
    const expected = [
      /unsupported load balancer protocol: SCTP/,
      /port 81 has no node port/,
      /unsupported load balancer affinity: Other/,
      /invalid CIDR "intern" in spec\.loadBalancerSourceRanges/,
      /could not find IP address lb/,
      /no IPv6 load balancer addresses/,
      /keep-ip: "maybe"/,
    ];
    assert.equal(all.length, expected.length);
    for (const [index, words] of expected.entries()) assert.match(all[index] ?? '', words);
  });

  it('asks for the PROXY protocol on a port that it does not have', () => {
    const annotations = { [`${PREFIX}proxy-protocol`]: '80,8443' };
    assert.match(problemsOf({ annotations })[0] ?? '', /8443 is no TCP port of the Service/);
  });

  it('asks for a cookie where nobody speaks plain HTTP', () => {
    const annotations = { [`${PREFIX}stickiness-method-name`]: 'LbCookie' };
    assert.match(
      problemsOf({ annotations })[0] ?? '',
      /LbCookie only works on plain HTTP ports: set appProtocol: http/,
    );
  });
});
