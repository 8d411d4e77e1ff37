import { Scope } from '@cloudstack-ccm/base';
import { completed, type Decorator } from '@cloudstack-ccm/cloudstack-client';
import type { LoadBalancerStatus } from '@cloudstack-ccm/cloud-controllers';
import type { Cloud, Controller } from '../cloud.ts';
import { Crash } from '../crash.ts';
import { TestService } from '../service.ts';

const OTHER_UID = '22222222-2222-3333-4444-555555555555';
export const STRANGE = '203.0.113.58';

/** Two Services of one cluster, their nodes, and the process that looks after them. */
export class World {
  readonly cloud: Cloud;
  readonly web = new TestService();
  readonly api = new TestService({ name: 'api', uid: OTHER_UID });
  nodes: readonly string[] = ['node-1', 'node-2', 'node-3'];
  /** Addresses that were taken by a person. */
  readonly byHand = new Set<string>();
  readonly #hidden: readonly Decorator[];
  #crash = new Crash(0);
  #controller: Controller;

  /** @param decorators stand between every process and the cloud */
  constructor(cloud: Cloud, decorators: readonly Decorator[] = []) {
    this.cloud = cloud;
    this.#hidden = decorators;
    this.#controller = this.#start(this.#crash);
  }

  /** The only network of the world. */
  get network(): string {
    const found = this.cloud.simulator.state.networks.find(({ name }) => name.startsWith('net-'));
    if (!found) throw new Error('the world has no network');
    return found.id;
  }

  get #services(): readonly TestService[] {
    return [this.web, this.api];
  }

  /** Begins anew with a process that ends at a moment, or never. */
  start(crash: Crash): void {
    this.#crash = crash;
    this.#controller = this.#start(crash);
  }

  #start(crash: Crash): Controller {
    for (const service of this.#services) crash.watch(service);
    return this.cloud.controller({ decorators: [crash.decorator, ...this.#hidden], random: () => 0 });
  }

  /** Both writes of a sync that succeeded: to the cloud, and to the status. */
  async ensure(service: TestService): Promise<void> {
    this.#setStatus(service, await this.#controller.ensure(service, this.cloud.nodes(...this.nodes)));
  }

  async updateMembers(service: TestService): Promise<void> {
    await this.#controller.updateMembers(service, this.cloud.nodes(...this.nodes));
  }

  async delete(service: TestService): Promise<void> {
    await this.#controller.delete(service);
    this.#setStatus(service, { ingress: [] });
  }

  #setStatus(service: TestService, { ingress }: LoadBalancerStatus): void {
    this.#crash.moment();
    service.edit({ ingress });
    this.#crash.moment();
  }

  /** An address of somebody else, with a rule and an opening, in the same network. */
  async addStranger(): Promise<void> {
    using scope = Scope.root();
    const publicIpId = await this.associateByHand(STRANGE);
    const rule = { name: 'strange', protocol: 'tcp', algorithm: 'roundrobin', publicPort: 80, privatePort: 31_080 };
    const { client } = this.cloud;
    const place = { publicIpId, networkId: this.network, openFirewall: false };
    await completed(scope, client.createLoadBalancerRule(scope, { ...rule, ...place }));
  }

  /** @returns the id of the address */
  async associateByHand(ipAddress: string): Promise<string> {
    using scope = Scope.root();
    this.byHand.add(ipAddress);
    const vpcId = this.cloud.simulator.state.networks.get(this.network)?.vpcId;
    const where = vpcId === undefined ? { networkId: this.network } : { vpcId };
    return (await completed(scope, this.cloud.client.associateIpAddress(scope, { ...where, ipAddress }))).id;
  }

  loseTags(): void {
    const { tags } = this.cloud.simulator.state;
    for (const { id } of tags.filter(() => true)) tags.delete(id);
  }
}
