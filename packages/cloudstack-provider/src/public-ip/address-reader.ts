import type { Scope } from '@cloudstack-ccm/base';
import {
  CloudStackApiError,
  UnauthorizedError,
  type CloudStackClient,
  type Commands,
  type LoadBalancerRule,
  type PublicIp,
} from '@cloudstack-ccm/cloudstack-client';
import type { NetworkFacts } from '../load-balancer/plan/network-facts.ts';
import type { Place } from './record.ts';

type Reads = Pick<
  Commands,
  | 'listPublicIpAddresses'
  | 'somePublicIpAddresses'
  | 'listLoadBalancerRules'
  | 'listFirewallRules'
  | 'listPortForwardingRules'
> &
  Pick<CloudStackClient, 'waitForJob'>;

/** So many free addresses are plenty to choose one from, also for several clusters at a time. */
const ENOUGH = 50;

/** Questions about public addresses. */
export class AddressReader {
  readonly #client: Reads;

  constructor(client: Reads) {
    this.#client = client;
  }

  /** An address in whatever state. Undefined when it is somebody else's: then these credentials do not see it. */
  async byId(scope: Scope, id: string): Promise<PublicIp | undefined> {
    const address = await this.#byId(scope, id);
    if (address?.pendingJobId === undefined) return address;
    await this.#waitFor(scope, address.pendingJobId);
    return this.#byId(scope, id);
  }

  async #byId(scope: Scope, id: string): Promise<PublicIp | undefined> {
    const [address] = await this.#client.listPublicIpAddresses(scope, { id, allocatedOnly: false, listAll: true });
    return address;
  }

  /** Of a job that an earlier process left, only the end matters: what came of it is read. */
  async #waitFor(scope: Scope, jobId: string): Promise<void> {
    try {
      await this.#client.waitForJob(scope, jobId);
    } catch (thrown) {
      if (!(thrown instanceof CloudStackApiError) || thrown instanceof UnauthorizedError) throw thrown;
    }
  }

  /** All records of an address: one, unless something is odd. */
  byAddress(scope: Scope, ipAddress: string): Promise<readonly PublicIp[]> {
    return this.#client.listPublicIpAddresses(scope, { ipAddress, allocatedOnly: false, listAll: true });
  }

  /** Some addresses that could be taken for a network: a zone may have thousands, and any of them will do. */
  async free(scope: Scope, network: NetworkFacts): Promise<readonly PublicIp[]> {
    const filter = { state: 'Free', zoneId: network.zoneId, forVirtualNetwork: true, listAll: true };
    const addresses = await this.#client.somePublicIpAddresses(scope, filter, ENOUGH);
    return addresses.filter(({ state, isSystem, isPortable }) => state === 'Free' && !isSystem && !isPortable);
  }

  /** Addresses that a network, or its VPC, has now. */
  ofNetwork(scope: Scope, { networkId, vpcId }: Place): Promise<readonly PublicIp[]> {
    const filter = vpcId === undefined ? { associatedNetworkId: networkId } : { vpcId };
    return this.#client.listPublicIpAddresses(scope, { ...filter, listAll: true });
  }

  rulesOn(scope: Scope, addressId: string): Promise<readonly LoadBalancerRule[]> {
    return this.#client.listLoadBalancerRules(scope, { publicIpId: addressId, listAll: true });
  }

  /** What is on an address, in words for a person; nothing is asked where the address itself says that it is bare. */
  async occupants(scope: Scope, address: PublicIp): Promise<readonly string[]> {
    if (address.hasRules === false) return [];
    const balancing = await this.rulesOn(scope, address.id);
    const openings = await this.#client.listFirewallRules(scope, { ipAddressId: address.id, listAll: true });
    const forwarding = await this.#client.listPortForwardingRules(scope, { ipAddressId: address.id, listAll: true });
    const named = [
      ...balancing.map((rule) => `load balancer rule ${rule.name} (${rule.id})`),
      ...openings.map((rule) => `firewall rule ${rule.id} for ${rule.protocol} ${rule.startPort ?? 'all ports'}`),
      ...forwarding.map((rule) => `port forwarding rule ${rule.id} for ${rule.protocol} ${rule.publicPort}`),
    ];
    // A VPN reserves ports, too, and shows in none of these lists.
    return named.length === 0 && address.hasRules === true ? ['rules of a kind that cannot be listed'] : named;
  }
}
