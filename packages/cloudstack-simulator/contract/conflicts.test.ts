import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestCloud } from '../src/testing/client.ts';

type Parameters = Readonly<Record<string, string>>;

/** An isolated network with an address that carries nothing yet, and what can be put on it. */
class Address implements AsyncDisposable {
  readonly cloud: TestCloud;
  readonly id: string;
  readonly address: string;

  private constructor(cloud: TestCloud, id: string, address: string) {
    this.cloud = cloud;
    this.id = id;
    this.address = address;
  }

  static async acquire(): Promise<Address> {
    const cloud = await TestCloud.start({ version: '4.20' });
    const { ipaddress } = await cloud.result(cloud.user, 'associateIpAddress', {
      networkid: cloud.id('networks', 'k8s-net'),
    });
    const { id, ipaddress: address } = ipaddress as { id: string; ipaddress: string };
    return new Address(cloud, id, address);
  }

  /** @returns the internal number of the rule, which conflict texts name. */
  async put(what: readonly [command: string, parameters: Parameters]): Promise<number> {
    const [command, parameters] = this.#call(what);
    if (command === 'enableStaticNat') {
      await this.cloud.user.call(command, parameters);
      return 0;
    }
    const { id } = await this.cloud.user.call(command, parameters);
    await this.cloud.settle();
    const { loadBalancerRules, portForwardingRules, firewallRules } = this.cloud.simulator.state;
    for (const table of [loadBalancerRules, portForwardingRules, firewallRules]) {
      const row = table.get(String(id));
      if (row) return row.internalId;
    }
    throw new Error(`${command} made nothing`);
  }

  async refuses(what: readonly [string, Parameters]): Promise<{ code: unknown; text: unknown }> {
    const { code, text } = await this.cloud.user.refused(...this.#call(what));
    return { code, text };
  }

  #call([command, parameters]: readonly [string, Parameters]): [string, Parameters] {
    const address = command === 'createLoadBalancerRule' ? { publicipid: this.id } : { ipaddressid: this.id };
    const machine = /Forwarding|StaticNat/.test(command)
      ? { virtualmachineid: this.cloud.id('virtualMachines', 'node-1') }
      : {};
    return [command, { ...address, ...machine, ...parameters }];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cloud[Symbol.asyncDispose]();
  }
}

const balance = (port: number, protocol = 'tcp'): [string, Parameters] => [
  'createLoadBalancerRule',
  {
    name: `lb-${port}`,
    algorithm: 'roundrobin',
    publicport: String(port),
    privateport: '30080',
    protocol,
    openfirewall: 'false',
  },
];

const forward = (first: number, last: number, protocol = 'tcp'): [string, Parameters] => [
  'createPortForwardingRule',
  {
    publicport: String(first),
    publicendport: String(last),
    privateport: String(first),
    privateendport: String(last),
    protocol,
    openfirewall: 'false',
  },
];

const staticNat: [string, Parameters] = ['enableStaticNat', {}];

const open = (first: number, last: number, cidrlist = '0.0.0.0/0', protocol = 'tcp'): [string, Parameters] => [
  'createFirewallRule',
  { startport: String(first), endport: String(last), protocol, cidrlist },
];

const range = (claim: string, number: number, taken: string): { code: number; text: string } => ({
  code: 537,
  text: `The range specified, ${claim}, conflicts with rule ${number} which has ${taken}`,
});

describe('line 1 of the conflict matrix: an address with a load balancer rule', () => {
  it('takes one on another port, and refuses one on the same', async () => {
    await using address = await Address.acquire();
    const number = await address.put(balance(80));
    assert.deepEqual(await address.refuses(balance(80)), range('80-80', number, '80-80'));
    await address.put(balance(81));
  });

  it('counts rules of every protocol as the same', async () => {
    await using address = await Address.acquire();
    const number = await address.put(balance(80, 'tcp'));
    assert.deepEqual(await address.refuses(balance(80, 'tcp-proxy')), range('80-80', number, '80-80'));
  });

  it('refuses tcp forwarding that covers its port', async () => {
    await using address = await Address.acquire();
    const number = await address.put(balance(80));
    assert.deepEqual(await address.refuses(forward(70, 90)), range('70-90', number, '80-80'));
    await address.put(forward(81, 90));
  });

  it('refuses udp forwarding that covers its port too', async () => {
    await using address = await Address.acquire();
    const number = await address.put(balance(80));
    assert.deepEqual(await address.refuses(forward(70, 90, 'udp')), range('70-90', number, '80-80'));
  });

  it('refuses static NAT', async () => {
    await using address = await Address.acquire();
    await address.put(balance(80));
    const { code } = await address.refuses(staticNat);
    assert.ok(code === 431 || code === 537, `code ${String(code)}`);
  });

  it('takes a firewall rule for the port', async () => {
    await using address = await Address.acquire();
    await address.put(balance(80));
    await address.put(open(80, 80));
  });
});

describe('lines 2 and 3: an address with forwarded ports', () => {
  it('refuses a load balancer rule inside of a tcp range', async () => {
    await using address = await Address.acquire();
    const number = await address.put(forward(2000, 2010));
    assert.deepEqual(await address.refuses(balance(2005)), range('2005-2005', number, '2000-2010'));
    await address.put(balance(2011));
  });

  it('refuses a load balancer rule inside of a udp range', async () => {
    await using address = await Address.acquire();
    const number = await address.put(forward(3000, 3000, 'udp'));
    assert.deepEqual(await address.refuses(balance(3000)), range('3000-3000', number, '3000-3000'));
  });

  it('refuses forwarding of the same protocol that overlaps', async () => {
    await using address = await Address.acquire();
    const number = await address.put(forward(2000, 2010));
    assert.deepEqual(await address.refuses(forward(2010, 2020)), range('2010-2020', number, '2000-2010'));
  });

  it('takes forwarding of the other protocol on the same ports', async () => {
    await using address = await Address.acquire();
    await address.put(forward(2000, 2010, 'tcp'));
    await address.put(forward(2000, 2010, 'udp'));
  });

  it('refuses static NAT', async () => {
    await using address = await Address.acquire();
    await address.put(forward(2000, 2010));
    const { code } = await address.refuses(staticNat);
    assert.ok(code === 431 || code === 537, `code ${String(code)}`);
  });

  it('takes firewall rules', async () => {
    await using address = await Address.acquire();
    await address.put(forward(2000, 2010));
    await address.put(open(2000, 2010));
  });
});

describe('line 4: an address with static NAT', () => {
  it('refuses load balancing', async () => {
    await using address = await Address.acquire();
    await address.put(staticNat);
    const text = `Can't do load balance on ip address: ${address.address}`;
    assert.deepEqual(await address.refuses(balance(80)), { code: 537, text });
  });

  it('refuses port forwarding', async () => {
    await using address = await Address.acquire();
    await address.put(staticNat);
    for (const protocol of ['tcp', 'udp']) {
      const { code } = await address.refuses(forward(2000, 2010, protocol));
      assert.ok(code === 431 || code === 537, `code ${String(code)}`);
    }
  });

  it('takes firewall rules', async () => {
    await using address = await Address.acquire();
    await address.put(staticNat);
    await address.put(open(22, 22));
  });
});

describe('line 5: an address with a firewall rule', () => {
  it('takes load balancing, forwarding and static NAT on the same port', async () => {
    await using balanced = await Address.acquire();
    await balanced.put(open(80, 80));
    await balanced.put(balance(80));
    await using forwarded = await Address.acquire();
    await forwarded.put(open(80, 80));
    await forwarded.put(forward(80, 80));
    await forwarded.put(forward(80, 80, 'udp'));
    await using natted = await Address.acquire();
    await natted.put(open(80, 80));
    await natted.put(staticNat);
  });

  it('refuses one of the same protocol that overlaps and has a CIDR in common', async () => {
    await using address = await Address.acquire();
    const number = await address.put(open(80, 90, '10.0.0.0/8,192.0.2.0/24'));
    const twin = open(85, 95, '192.0.2.0/24,198.51.100.0/24');
    assert.deepEqual(await address.refuses(twin), range('85-95', number, '80-90'));
  });

  it('takes one whose CIDRs are spelt otherwise, even if they contain each other', async () => {
    await using address = await Address.acquire();
    await address.put(open(80, 80, '10.0.0.0/8'));
    await address.put(open(80, 80, '10.1.0.0/16'));
  });

  it('takes one of the other protocol', async () => {
    await using address = await Address.acquire();
    await address.put(open(80, 80, '10.0.0.0/8', 'tcp'));
    await address.put(open(80, 80, '10.0.0.0/8', 'udp'));
  });
});

describe('before ports are compared', () => {
  it('rules that are being deleted do not count', async () => {
    await using address = await Address.acquire();
    await address.put(balance(80));
    const { cloud } = address;
    await cloud.user.call('deleteLoadBalancerRule', { id: cloud.id('loadBalancerRules', 'lb-80') });
    // The job has begun, and has not ended.
    await cloud.clock.advance(1);
    await address.put(balance(80));
  });
});
