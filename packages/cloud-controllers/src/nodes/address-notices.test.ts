import assert from 'node:assert/strict';
import { test } from 'node:test';

import { aNode, someMetadata } from '../testing/objects.ts';
import { addressNotices } from './address-notices.ts';

const OFFERED = someMetadata({ addresses: [{ type: 'InternalIP', address: '10.1.1.12' }] });
const internal = (address: string) => ({ type: 'InternalIP', address });
const PROVIDED = 'alpha.kubernetes.io/provided-node-ip';

const messages = (parts: Parameters<typeof aNode>[1], metadata = OFFERED): readonly string[] =>
  addressNotices(aNode('node-2', parts), metadata).map(({ reason, message }) => `${reason} ${message}`);

test('says that the kubelet reported an address which the machine does not have, and names both', () => {
  const [message = ''] = messages({ addresses: [internal('172.30.0.4')] });
  assert.match(message, /^MisconfiguredInternalIP the kubelet reported InternalIP 172\.30\.0\.4, which/);
  assert.match(message, /InternalIP 10\.1\.1\.12/);
});

test('says that the address which the kubelet was told to use is not there', () => {
  const [message = ''] = messages({ annotations: { [PROVIDED]: '172.30.0.4' }, addresses: [internal('10.1.1.12')] });
  assert.match(message, /matches ip: 172\.30\.0\.4; addresses in the cloud: InternalIP 10\.1\.1\.12/);
});

test('has nothing to say where they agree, where the node has none, and while the machine has none', () => {
  assert.deepEqual(messages({ addresses: [internal('10.9.9.9'), internal('10.1.1.12')] }), []);
  assert.deepEqual(messages({ annotations: { [PROVIDED]: '10.1.1.12' } }), []);
  assert.deepEqual(messages({ addresses: [{ type: 'Hostname', address: 'node-2' }] }), []);
  assert.deepEqual(messages({ addresses: [internal('172.30.0.4')] }, someMetadata({ addresses: [] })), []);
});
