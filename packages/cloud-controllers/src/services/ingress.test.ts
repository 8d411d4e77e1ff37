import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sameIngress } from './ingress.ts';

test('Ingress lists are compared by what they mean (X27)', () => {
  const ports = [{ port: 80, protocol: 'TCP' }];
  assert.equal(sameIngress([], []), true);
  assert.equal(sameIngress([{ ip: '1.2.3.4' }], [{ ip: '1.2.3.4' }]), true);
  assert.equal(sameIngress([{ ip: '1.2.3.4' }], [{ ip: '1.2.3.5' }]), false);
  assert.equal(sameIngress([{ ip: '1.2.3.4', ipMode: 'Proxy' }], [{ ip: '1.2.3.4', ipMode: 'Proxy' }]), true);
  assert.equal(sameIngress([{ ip: '1.2.3.4', ipMode: 'Proxy' }], [{ ip: '1.2.3.4' }]), false);
  assert.equal(sameIngress([{ ip: '1.2.3.4', ipMode: 'Proxy' }], [{ ip: '1.2.3.4', ipMode: 'VIP' }]), false);
  assert.equal(sameIngress([{ ip: '1.2.3.4', ports }], [{ ip: '1.2.3.4', ports: [...ports] }]), true);
  assert.equal(
    sameIngress([{ ip: '1.2.3.4', ports }], [{ ip: '1.2.3.4', ports: [{ port: 80, protocol: 'UDP' }] }]),
    false,
  );
  assert.equal(sameIngress([{ ip: '1.2.3.4', ports }], [{ ip: '1.2.3.4' }]), false);
  assert.equal(sameIngress([{ hostname: 'a' }, { hostname: 'b' }], [{ hostname: 'b' }, { hostname: 'a' }]), false);
});

test('A VIP is the mode that the API server gives an IP without one', () => {
  assert.equal(sameIngress([{ ip: '1.2.3.4', ipMode: 'VIP' }], [{ ip: '1.2.3.4' }]), true);
});
