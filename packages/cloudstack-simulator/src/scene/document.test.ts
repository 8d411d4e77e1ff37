import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { TestCloud } from '../testing/client.ts';
import { buildScene, parseScene } from './document.ts';

const SCENE = `
domains: [{ name: tenants }]
accounts:
  - { name: k8s, domain: ROOT/tenants, apiKey: KEY, secretKey: SECRET }
  - { name: auditor, rules: [{ command: 'create*', allow: false }] }
zones: [{ name: zone-a, publicRange: [203.0.113.1, 203.0.113.20] }]
projects: [{ name: team-a, owner: k8s }]
serviceOfferings: [{ name: 4C-8G, cpuNumber: 4, memory: 8192 }]
networkOfferings: [{ name: no-firewall, services: [Lb, SourceNat, Dhcp] }]
vpcs: [{ name: vpc-a, owner: k8s }]
aclLists: [{ name: k8s-acl, vpc: vpc-a }]
networks:
  - { name: k8s-net, owner: k8s }
  - { name: open-net, owner: k8s, offering: no-firewall }
  - { name: tier-1, owner: k8s, vpc: vpc-a, cidr: 10.2.1.0/24, acl: k8s-acl }
virtualMachines:
  - { name: node, owner: k8s, networks: [k8s-net], offering: 4C-8G, count: 3 }
  - { name: halted, owner: team-a, networks: [k8s-net], state: Stopped }
publicIps: [{ address: 203.0.113.7, network: k8s-net }]
settings: { maxAccountPublicIps: 2 }
`;

test('builds what a YAML file says', async () => {
  const document = parseScene(SCENE);
  await using cloud = await TestCloud.start({ scene: (world) => buildScene(world, document) });
  const user = cloud.with('KEY', 'SECRET');
  const machines = await user.list('listVirtualMachines');
  assert.deepEqual(
    machines.map((vm) => [vm['name'], vm['memory']]),
    [1, 2, 3].map((number) => [`node-${number}`, 8192]),
  );
  const networks = await user.list('listNetworks');
  assert.deepEqual(
    networks.map((network) => [network['name'], network['aclname']]),
    [
      ['tier-1', 'k8s-acl'],
      ['open-net', undefined],
      ['k8s-net', undefined],
    ],
  );
  assert.equal((await user.list('listPublicIpAddresses', { ipaddress: '203.0.113.7' })).length, 1);
  assert.equal((await user.refused('associateIpAddress', { networkid: cloud.id('networks', 'k8s-net') })).code, 532);
  assert.equal((await cloud.as('auditor').refused('createTags')).code, 432);
});

test('names the place of what is wrong', () => {
  const cases: Readonly<Record<string, RegExp>> = {
    'accounts: [{ domain: ROOT }]': /^accounts\[0\]\.name is missing$/,
    'networks: [{ name: n, owner: k8s, cidr: 5 }]': /^networks\[0\]\.cidr must be an IPv4 CIDR$/,
    'networks: [{ name: n, owner: k8s, size: 5 }]': /^networks\[0\] has no field size\. It may have id, name, /,
    'virtualMachines: [{ name: n, owner: k8s, networks: k8s-net }]':
      /^virtualMachines\[0\]\.networks must be a list of one name at least$/,
    'zones: [{ name: z, publicRange: [203.0.113.1] }]': /^zones\[0\]\.publicRange must be a list of two addresses/,
    'settings: { defaultPageSize: many }': /^settings\.defaultPageSize must be a number$/,
    'clusters: []': /^scene has no field clusters\./,
    'zones: 5': /^zones must be a list$/,
    '- a': /^scene must be a mapping$/,
    '{': /^The scene is no YAML: /,
  };
  for (const [text, message] of Object.entries(cases)) {
    assert.throws(() => parseScene(text), { code: 'INVALID_INPUT', message });
  }
});

test('names what a scene speaks of and does not have', async () => {
  const start = (text: string) => TestCloud.start({ scene: (world) => buildScene(world, parseScene(text)) });
  await assert.rejects(start('networks: [{ name: n, owner: nobody }]'), /The scene has no account or project nobody/);
  await assert.rejects(
    start('virtualMachines: [{ name: n, owner: admin, networks: [nowhere] }]'),
    /The scene has no network nowhere/,
  );
});

test('takes an empty file for an empty scene', async () => {
  await using cloud = await TestCloud.start({ scene: (world) => buildScene(world, parseScene('')) });
  assert.deepEqual(await cloud.admin.list('listZones'), []);
});

test('builds the example that comes with it', async () => {
  const example = await readFile(new URL('../../scenes/example.yaml', import.meta.url), 'utf8');
  await using cloud = await TestCloud.start({ scene: (world) => buildScene(world, parseScene(example)) });
  assert.equal((await cloud.user.list('listVirtualMachines')).length, 3);
});

const NET = 'accounts: [{ name: a }]\nnetworks: [{ name: n, owner: a, cidr: 10.0.0.0/29 }]\n';

const IMPOSSIBLE: Readonly<Record<string, RegExp>> = {
  'zones: &x [*x]': /zones\[0\] must be a mapping/,
  'zones: [{ name: z, publicRange: [x, y] }]': /publicRange must be a list of two addresses/,
  'zones: [{ name: z, publicRange: [203.0.113.20, 203.0.113.10] }]': /publicRange must be/,
  'zones: [{ name: z, publicRange: [0.0.0.0, 255.255.255.255] }]': /at most 65536/,
  'zones: [{ name: z, id: same }, { name: y, id: same }]': /zones has the id same twice/,
  'accounts: [{ name: a }, { name: a }]': /accounts has the name a twice/,
  'accounts: [{ name: a, type: king }]': /accounts\[0\]\.type must be one of user, domain-admin, admin/,
  'networkOfferings: [{ name: o, services: [Lb], guestType: Odd }]': /guestType must be one of Isolated/,
  'accounts: [{ name: a }]\nnetworks: [{ name: n, owner: a, cidr: 10.0.0.0/99 }]': /cidr must be an IPv4 CIDR/,
  'accounts: [{ name: a }]\nnetworks: [{ name: n, owner: a, vlan: -5 }]': /vlan must be a VLAN/,
  [`${NET}virtualMachines: [{ name: v, owner: a, networks: [] }]`]: /networks must be a list of one name at least/,
  [`${NET}virtualMachines: [{ name: v, owner: a, networks: [n], count: 1.5 }]`]: /count must be a whole number/,
  [`${NET}virtualMachines: [{ name: v, owner: a, networks: [n], count: 6 }]`]: /can not be built: Insufficient address/,
  [`${NET}virtualMachines: [{ name: v, owner: a, networks: [n], state: Odd }]`]: /state must be one of Starting/,
  [`${NET}virtualMachines: [{ name: v, owner: a, networks: [n], ipAddress: hello }]`]: /must be an IPv4 address/,
  [`${NET}publicIps: [{ network: n, address: 192.0.2.1 }]`]: /No public address 192\.0\.2\.1 is free/,
};

for (const [text, message] of Object.entries(IMPOSSIBLE)) {
  test(`says what is wrong with ${text.replaceAll('\n', ' ')}`, async () => {
    const start = async (): Promise<unknown> => {
      const document = parseScene(text);
      return TestCloud.start({ scene: (world) => buildScene(world, document) });
    };
    await assert.rejects(start, { name: 'InvalidInputError', message });
  });
}
