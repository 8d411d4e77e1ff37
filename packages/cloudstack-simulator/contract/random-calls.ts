import type { Random } from '../src/random.ts';

export interface RandomCall {
  readonly account: string;
  readonly command: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** What a sequence knows by now: ids by owner and kind. */
export class KnownIds {
  readonly #ids = new Map<string, { readonly owner: string; readonly id: string }[]>();

  add(kind: string, owner: string, id: string): void {
    this.#ids.set(kind, [...(this.#ids.get(kind) ?? []), { owner, id }]);
  }

  /** Without an owner: everybody's. */
  of(kind: string, owner?: string): readonly string[] {
    const all = this.#ids.get(kind) ?? [];
    return all.filter((one) => owner === undefined || one.owner === owner).map(({ id }) => id);
  }

  get kinds(): readonly string[] {
    return [...this.#ids.keys()];
  }
}

const ACCOUNTS = ['alice', 'alice', 'alice', 'bob', 'admin'];
const PORTS = ['80', '443', '8080'];
const ODD_PORTS = ['53', '8081', '0', '-1', '70000', 'x', ''];
const PROTOCOLS = ['tcp', 'tcp', 'udp', 'TCP'];
const ODD_PROTOCOLS = ['icmp', 'tcp-proxy', 'sctp', ''];
const CIDRS = ['0.0.0.0/0', '10.0.0.0/8', '10.0.0.0/8,192.0.2.0/24', '192.0.2.0/24'];
const ODD_CIDRS = ['10.0.0.0/33', 'x', '', '::/0'];
const ALGORITHMS = ['roundrobin', 'source', 'leastconn'];
const ODD_ALGORITHMS = ['random', ''];
const GARBAGE = ['00000000-0000-4000-8000-000000000000', 'x', '', '-1', '7'];

/** Draws valid and invalid commands. Most name things that exist; some do not, or name things of the wrong kind. */
export class CallDrawer {
  readonly #random: Random;
  readonly #ids: KnownIds;
  #account = 'alice';

  constructor(random: Random, ids: KnownIds) {
    this.#random = random;
    this.#ids = ids;
  }

  draw(): RandomCall {
    this.#account = this.#pick(ACCOUNTS);
    const [command, parameters] = this.#pick(this.#commands)();
    const sent = Object.entries(parameters).filter(([, value]) => value !== undefined && this.#chance(0.98));
    return { account: this.#account, command, parameters: Object.fromEntries(sent) as Record<string, string> };
  }

  readonly #commands: readonly (() => [string, Readonly<Record<string, string | undefined>>])[] = [
    () => ['associateIpAddress', { networkid: this.#id('network') }],
    () => ['associateIpAddress', { vpcid: this.#id('vpc') }],
    () => ['disassociateIpAddress', { id: this.#id('ip') }],
    () => ['createLoadBalancerRule', this.#rule()],
    () => ['createLoadBalancerRule', this.#rule()],
    () => ['createLoadBalancerRule', { ...this.#rule(), networkid: this.#id('network'), openfirewall: 'false' }],
    () => ['updateLoadBalancerRule', { id: this.#id('rule'), algorithm: this.#usually(ALGORITHMS, ODD_ALGORITHMS) }],
    () => ['updateLoadBalancerRule', { id: this.#id('rule'), protocol: this.#protocol() }],
    () => ['deleteLoadBalancerRule', { id: this.#id('rule') }],
    () => ['assignToLoadBalancerRule', { id: this.#id('rule'), virtualmachineids: this.#list('vm') }],
    () => ['assignToLoadBalancerRule', { id: this.#id('rule'), virtualmachineids: this.#list('vm') }],
    () => ['removeFromLoadBalancerRule', { id: this.#id('rule'), virtualmachineids: this.#list('vm') }],
    () => ['createLBStickinessPolicy', { lbruleid: this.#id('rule'), name: 's', methodname: 'SourceBased' }],
    () => ['createLoadBalancer', this.#balancer()],
    () => ['createLoadBalancer', this.#balancer()],
    () => ['deleteLoadBalancer', { id: this.#id('balancer') }],
    () => ['assignToLoadBalancerRule', { id: this.#id('balancer'), virtualmachineids: this.#list('vm') }],
    () => ['removeFromLoadBalancerRule', { id: this.#id('balancer'), virtualmachineids: this.#list('vm') }],
    () => ['createFirewallRule', this.#firewall()],
    () => ['createFirewallRule', this.#firewall()],
    () => ['deleteFirewallRule', { id: this.#id('firewall') }],
    () => ['createPortForwardingRule', this.#forwarding()],
    () => ['deletePortForwardingRule', { id: this.#id('forwarding') }],
    () => ['enableStaticNat', { ipaddressid: this.#id('ip'), virtualmachineid: this.#id('vm') }],
    () => ['disableStaticNat', { ipaddressid: this.#id('ip') }],
    () => ['createTags', { resourcetype: 'PublicIpAddress', resourceids: this.#list('ip'), ...this.#tag() }],
    () => ['deleteTags', { resourcetype: 'PublicIpAddress', resourceids: this.#list('ip') }],
    () => ['createNetworkACL', { aclid: this.#id('acl'), protocol: this.#protocol(), startport: this.#port() }],
    () => ['deleteNetworkACL', { id: this.#id('item') }],
    () => ['stopVirtualMachine', { id: this.#id('vm') }],
    () => ['startVirtualMachine', { id: this.#id('vm') }],
    () => ['destroyVirtualMachine', { id: this.#id('vm'), expunge: this.#pick(['true', 'false', undefined]) }],
    () => ['listLoadBalancerRules', { listall: 'true', publicipid: this.#pick([undefined, this.#id('ip')]) }],
    () => ['listVirtualMachines', { listall: 'true', page: this.#pick([undefined, '1']), pagesize: '2' }],
  ];

  #rule(): Record<string, string | undefined> {
    return {
      publicipid: this.#id('ip'),
      name: 'r',
      algorithm: this.#usually(ALGORITHMS, ODD_ALGORITHMS),
      publicport: this.#port(),
      privateport: '30080',
      protocol: this.#pick([undefined, this.#protocol()]),
      cidrlist: this.#pick([undefined, this.#usually(CIDRS, ODD_CIDRS)]),
    };
  }

  #balancer(): Record<string, string | undefined> {
    const network = this.#id('inner');
    return {
      name: 'b',
      scheme: this.#usually(['Internal'], ['Public', '']),
      algorithm: this.#usually(ALGORITHMS, ODD_ALGORITHMS),
      networkid: network,
      sourceipaddressnetworkid: this.#usually([network], [this.#id('network')]),
      sourceipaddress: this.#pick([undefined, '10.2.2.200', '10.2.2.201', '10.2.2.2', '192.0.2.1']),
      sourceport: this.#port(),
      instanceport: '8080',
    };
  }

  #firewall(): Record<string, string | undefined> {
    return {
      ipaddressid: this.#id('ip'),
      protocol: this.#protocol(),
      startport: this.#pick([undefined, this.#port()]),
      endport: this.#pick([undefined, this.#port()]),
      cidrlist: this.#pick([undefined, this.#usually(CIDRS, ODD_CIDRS)]),
    };
  }

  #forwarding(): Record<string, string | undefined> {
    return {
      ipaddressid: this.#id('ip'),
      virtualmachineid: this.#id('vm'),
      protocol: this.#pick(['tcp', 'udp']),
      publicport: this.#port(),
      publicendport: this.#pick([undefined, '443', '9000']),
      privateport: '8080',
      openfirewall: this.#pick([undefined, 'false']),
    };
  }

  #tag(): Record<string, string> {
    return { 'tags[0].key': this.#pick(['a', 'b']), 'tags[0].value': this.#pick(['1', '2', '']) };
  }

  #port(): string {
    return this.#usually(PORTS, ODD_PORTS);
  }

  #protocol(): string {
    return this.#usually(PROTOCOLS, ODD_PROTOCOLS);
  }

  #usually<T>(usual: readonly T[], odd: readonly T[]): T {
    return this.#pick(this.#chance(0.92) ? usual : odd);
  }

  /** An own id of the kind; now and then somebody's, of another kind, or none at all. */
  #id(kind: string): string {
    const own = this.#ids.of(kind, this.#account);
    if (own.length > 0 && this.#chance(0.9)) return this.#pick(own);
    const others = this.#ids.of(this.#chance(0.3) ? this.#pick(this.#ids.kinds) : kind);
    return others.length === 0 || this.#chance(0.3) ? this.#pick(GARBAGE) : this.#pick(others);
  }

  #list(kind: string): string {
    return Array.from({ length: this.#random.integer(0, 3) }, () => this.#id(kind)).join(',');
  }

  #chance(probability: number): boolean {
    return this.#random.next() < probability;
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[this.#random.integer(0, items.length - 1)];
    // The lists are never empty.
    return item as T;
  }
}
