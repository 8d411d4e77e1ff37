import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  addressesPatch,
  annotationsPatch,
  finalizersPatch,
  serviceStatusPatch,
  labelsPatch,
  taintsPatch,
} from './patch-bodies.ts';

const FIN = 'service.kubernetes.io/load-balancer-cleanup';

describe('the body of a patch', () => {
  it('adds a finalizer where there is none, and beside others', () => {
    assert.deepEqual(finalizersPatch([], [FIN])?.body, { metadata: { finalizers: [FIN] } });
    assert.deepEqual(finalizersPatch(['other'], ['other', FIN])?.body, {
      metadata: { '$setElementOrder/finalizers': ['other', FIN], finalizers: [FIN] },
    });
  });

  it('removes a finalizer by name, also the last one', () => {
    assert.deepEqual(finalizersPatch([FIN, 'other'], ['other'])?.body, {
      metadata: { '$deleteFromPrimitiveList/finalizers': [FIN], '$setElementOrder/finalizers': ['other'] },
    });
    assert.deepEqual(finalizersPatch([FIN], [])?.body, {
      metadata: { '$deleteFromPrimitiveList/finalizers': [FIN] },
    });
  });

  it('is not there when no finalizer changes', () => {
    assert.equal(finalizersPatch([FIN], [FIN]), undefined);
  });

  it('replaces addresses and ingress as a whole', () => {
    assert.deepEqual(addressesPatch([{ type: 'InternalIP', address: '10.0.0.1' }]).body, {
      status: { addresses: [{ type: 'InternalIP', address: '10.0.0.1' }, { $patch: 'replace' }] },
    });
    assert.deepEqual(serviceStatusPatch({ ingress: [{ ip: '192.0.2.1' }] }).body, {
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
    });
    assert.deepEqual(serviceStatusPatch({ ingress: [] }).body, { status: { loadBalancer: { ingress: null } } });
  });

  it('ties taints to the version they were read at', () => {
    const taint = { key: 'k', effect: 'NoSchedule' };
    assert.deepEqual(taintsPatch('7', [taint]).body, { metadata: { resourceVersion: '7' }, spec: { taints: [taint] } });
    assert.deepEqual(taintsPatch('7', []).body, { metadata: { resourceVersion: '7' }, spec: { taints: null } });
  });

  it('names only the labels and annotations that change', () => {
    assert.deepEqual(labelsPatch({ a: 'b' }), { type: 'merge', body: { metadata: { labels: { a: 'b' } } } });
    assert.deepEqual(annotationsPatch({ a: null }).body, { metadata: { annotations: { a: null } } });
  });
});
