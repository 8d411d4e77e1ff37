import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { World } from '../scene/world.ts';
import { Chromium } from '../testing/chromium.ts';
import { TestCloud, type Fields } from '../testing/client.ts';
import type { DevTools } from '../testing/dev-tools.ts';

function scene(world: World): void {
  world.zone({ name: 'zone-a' });
  world.account({ name: 'k8s' });
  world.vpc({ name: 'vpc-a', owner: 'k8s' });
  world.aclList({ name: 'k8s-acl', vpc: 'vpc-a' });
  world.network({ name: 'k8s-net', owner: 'k8s', cidr: '10.1.1.0/24' });
  world.network({ name: 'tier-a', owner: 'k8s', cidr: '10.2.1.0/24', vpc: 'vpc-a', acl: 'k8s-acl' });
  world.virtualMachine({ name: 'node-1', owner: 'k8s', networks: ['k8s-net', 'tier-a'] });
  world.virtualMachine({ name: 'node-2', owner: 'k8s', networks: ['k8s-net'], state: 'Stopped' });
}

/** What a person sees: the words of each table by its heading, row by row. */
const TABLES = `Object.fromEntries([...document.querySelectorAll('section')].map((section) => [
  section.querySelector('h2').firstChild.textContent.trim(),
  [...section.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((cell) => cell.innerText.trim())),
]))`;

type Tables = Readonly<Record<string, readonly (readonly string[])[]>>;

/** Everything that the page can show, made over the API. @returns the address and the rule on it. */
async function fill(cloud: TestCloud): Promise<{ readonly address: Fields; readonly rule: Fields }> {
  const { user } = cloud;
  const associated = await cloud.result(user, 'associateIpAddress', { networkid: cloud.id('networks', 'k8s-net') });
  const address = associated['ipaddress'] as Fields;
  const publicipid = String(address['id']);
  const web = { algorithm: 'roundrobin', name: 'web', publicport: '80', privateport: '30080', protocol: 'tcp' };
  const created = await cloud.result(user, 'createLoadBalancerRule', { ...web, publicipid, openfirewall: 'false' });
  const rule = created['loadbalancer'] as Fields;
  const member = { id: String(rule['id']), virtualmachineids: cloud.id('virtualMachines', 'node-1') };
  await cloud.result(user, 'assignToLoadBalancerRule', member);
  const open = { ipaddressid: publicipid, protocol: 'tcp', startport: '80', cidrlist: '192.0.2.0/24,198.51.100.0/24' };
  await cloud.result(user, 'createFirewallRule', open);
  const forwarded = { ipaddressid: publicipid, protocol: 'tcp', publicport: '2222', privateport: '22' };
  const machine = { virtualmachineid: cloud.id('virtualMachines', 'node-2'), openfirewall: 'false' };
  await cloud.result(user, 'createPortForwardingRule', { ...forwarded, ...machine });
  const item = {
    networkid: cloud.id('networks', 'tier-a'),
    protocol: 'tcp',
    startport: '443',
    cidrlist: '192.0.2.1/32',
  };
  await cloud.result(user, 'createNetworkACL', item);
  return { address, rule };
}

describe('the page in a browser', { timeout: 120_000 }, () => {
  const opened = new AsyncDisposableStack();
  let cloud: TestCloud;
  let page: DevTools;
  let address = '';
  let ruleId = '';

  before(async () => {
    cloud = opened.use(await TestCloud.start({ scene, controlPort: 0 }));
    const made = await fill(cloud);
    [address, ruleId] = [String(made.address['ipaddress']), String(made.rule['id'])];
    await cloud.user.refused('createLoadBalancerRule', { name: 'incomplete' });
    const browser = opened.use(await Chromium.start());
    page = opened.use(await browser.open(cloud.simulator.controlUrl ?? ''));
  });
  after(() => opened.disposeAsync());

  const tables = async (): Promise<Tables> => (await page.evaluate(TABLES)) as Tables;

  it('shows networks, machines and addresses with their states', async () => {
    const shown = await tables();
    assert.equal(await page.evaluate('document.title'), 'CloudStack simulator');
    assert.deepEqual(shown['Networks'], [
      ['k8s-net', 'k8s', 'Isolated', '10.1.1.0/24', '', '', 'Implemented', 'Running'],
      ['tier-a', 'k8s', 'Isolated', '10.2.1.0/24', 'vpc-a', 'k8s-acl', 'Implemented', 'Running'],
    ]);
    assert.deepEqual(
      shown['Virtual machines']?.map(([name, , state]) => [name, state]),
      [
        ['node-1', 'Running'],
        ['node-2', 'Stopped'],
      ],
    );
    assert.match(shown['Virtual machines']?.[0]?.[3] ?? '', /^k8s-net 10\.1\.1\.\d+, tier-a 10\.2\.1\.\d+$/);
    const own = shown['Public IP addresses']?.find(([text]) => text === address);
    assert.deepEqual(own, [address, 'k8s', 'k8s-net', 'Allocated', '']);
  });

  it('shows rules with their members, firewall rules and network ACL items', async () => {
    const shown = await tables();
    const web = ['web', address, '80 → 30080', 'tcp', 'roundrobin', '', 'node-1', 'Active'];
    assert.deepEqual(shown['Load balancer rules'], [web]);
    assert.deepEqual(shown['Firewall rules'], [[address, 'tcp', '80-80', '192.0.2.0/24, 198.51.100.0/24', 'Active']]);
    assert.deepEqual(shown['Port forwarding rules'], [[address, '2222-2222 → 22-22', 'tcp', 'node-2', 'Active']]);
    assert.deepEqual(shown['Network ACL items'], [
      ['k8s-acl', '1', 'Allow', 'Ingress', 'tcp', '443-443', '192.0.2.1/32'],
    ]);
  });

  it('shows the latest jobs and calls, refused ones with their error', async () => {
    const shown = await tables();
    assert.deepEqual(shown['Latest jobs']?.[0], ['createNetworkACL', 'k8s', 'succeeded', '']);
    const [command, owner, status, error = ''] = shown['Latest calls']?.[0]?.slice(1) ?? [];
    assert.deepEqual([command, owner, status], ['createLoadBalancerRule', 'k8s', '431']);
    assert.match(error, /missing parameter algorithm$/);
  });

  it('follows a command without being loaded again', async () => {
    await page.evaluate('globalThis.loadedOnce = true');
    const member = { id: ruleId, virtualmachineids: cloud.id('virtualMachines', 'node-2') };
    await cloud.result(cloud.user, 'assignToLoadBalancerRule', member);
    await page.until("document.body.innerText.includes('node-1, node-2')");
    assert.equal((await tables())['Load balancer rules']?.[0]?.[6], 'node-1, node-2');
    await cloud.result(cloud.user, 'deleteLoadBalancerRule', { id: ruleId });
    await page.until("!document.body.innerText.includes('node-1, node-2')");
    assert.deepEqual((await tables())['Load balancer rules'], []);
    assert.equal(await page.evaluate('globalThis.loadedOnce'), true);
  });

  it('only shows: it has nothing to press or to fill in, and stays within the window', async () => {
    assert.equal(await page.evaluate("document.querySelectorAll('button, input, form, a, select').length"), 0);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
    assert.deepEqual(page.faults, []);
    assert.ok((await page.screenshot()).length > 10_000);
  });

  it('says so when the simulator is gone', async () => {
    await cloud.simulator.close();
    await page.until("document.querySelector('main.lost')");
    const notice = await page.evaluate("getComputedStyle(document.querySelector('main'), '::before').content");
    assert.match(String(notice), /does not answer/);
  });
});
