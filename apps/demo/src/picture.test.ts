import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { missing, type Picture } from './picture.ts';
import { render } from './render.ts';

const converged: Picture = {
  nodes: [
    {
      name: 'node-1',
      initialised: true,
      providerId: 'external-cloudstack://1',
      internalIp: '10.1.1.11',
      instanceType: '4C8G',
      zone: 'zone-a',
    },
  ],
  services: [{ name: 'default/web', ports: '80/TCP', external: '203.0.113.10' }],
  addresses: [{ address: '203.0.113.10', state: 'Allocated', purpose: 'load balancer' }],
  rules: [
    {
      name: 'a1-tcp-80',
      frontend: '203.0.113.10:80',
      nodePort: '31080',
      members: ['node-1'],
      allowed: '0.0.0.0/0',
      state: 'Active',
    },
  ],
  actions: ['node-1 got its provider ID'],
};

test('nothing is missing when nodes are initialised and Services have addresses, members and openings', () => {
  assert.deepEqual(missing(converged), []);
});

test('names each thing that is missing', () => {
  const [node] = converged.nodes;
  const [service] = converged.services;
  const [rule] = converged.rules;
  assert.ok(node && service && rule);
  const picture = {
    ...converged,
    nodes: [{ ...node, initialised: false }],
    services: [{ ...service, external: '' }],
    rules: [{ ...rule, members: [] }],
  };
  assert.deepEqual(missing(picture), [
    'node node-1 is not initialised',
    'Service default/web has no address',
    'rule a1-tcp-80 lacks members or its firewall rule',
  ]);
});

test('an empty picture has not converged', () => {
  assert.deepEqual(missing({ nodes: [], services: [], addresses: [], rules: [], actions: [] }), [
    'there are no nodes',
    'there are no Services',
  ]);
});

test('plain text lines up under its heads and carries no escape codes', () => {
  const lines = render(converged, { colours: false });
  const head = lines.find((line) => line.includes('EXTERNAL IP')) ?? '';
  const row = lines.find((line) => line.includes('default/web')) ?? '';
  assert.equal(row.indexOf('203.0.113.10'), head.indexOf('EXTERNAL IP'));
  assert.ok(lines.every((line) => !line.includes('\u001b')));
});

test('colours do not move the columns', () => {
  assert.deepEqual(
    render(converged, { colours: true }).map((line) => stripVTControlCharacters(line)),
    render(converged, { colours: false }),
  );
});
