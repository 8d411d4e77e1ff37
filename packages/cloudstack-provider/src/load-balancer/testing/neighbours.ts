import assert from 'node:assert/strict';
import { CombinedError } from '@cloudstack-ccm/base';
import { CloudStackApiError } from '@cloudstack-ccm/cloudstack-client';
import { ActionError, AddressNotUsableError } from '../errors.ts';
import { loadBalancerName } from '../plan/names.ts';
import type { Cloud, Controller } from './cloud.ts';
import { Crash } from './crash.ts';
import { port, TestService } from './service.ts';

export const STRANGE = '203.0.113.58';
export const USERS = '203.0.113.57';

/** What a user does to one of the Services; `address` undefined asks for none. */
export type Change =
  | { readonly kind: 'ports'; readonly ports: readonly string[] }
  | { readonly kind: 'address'; readonly address: string | undefined }
  | { readonly kind: 'join' }
  | { readonly kind: 'delete' }
  /** Its ports change while its address is between two states. */
  | { readonly kind: 'hang'; readonly state: 'Allocating' | 'Releasing'; readonly ports: readonly string[] };

/** The user changed it; the process dies at the given moment of what it does then, 0 for never. */
export interface Event {
  readonly who: number;
  readonly change: Change;
  readonly diesAt: number;
}

const NODES = ['node-1', 'node-2', 'node-3'];
/** So often a sync is repeated that fails. */
const TRIES = 3;

/**
 * Services of one cluster in one network, which may share addresses with each other and with people, and the processes
 * that look after them. After each event it is checked that nobody has lost anything, and nothing is held for nobody.
 */
export class Neighbours {
  readonly #cloud: Cloud;
  readonly #services = new Map<number, TestService>();
  #made = 0;

  constructor(cloud: Cloud) {
    this.#cloud = cloud;
  }

  /** A person's rule on an address of theirs, and another address of theirs that is not used. */
  async prepare(): Promise<void> {
    await this.#cloud.handMade('strange', { address: STRANGE, port: 80, members: ['node-1'] });
    await this.#cloud.associateByHand(USERS);
  }

  async play({ who, change, diesAt }: Event): Promise<void> {
    const service = this.#services.get(who) ?? this.#create(who);
    const before = this.#rulesOfOthers(service);
    if (change.kind === 'ports') service.edit({ ports: change.ports.map((text) => port(text)) });
    if (change.kind === 'address') service.edit({ loadBalancerIp: change.address ?? '' });
    if (change.kind === 'hang') await this.#changeWhileItHangs(service, change);
    if (change.kind === 'join') service.edit({ loadBalancerIp: this.#addressOfAnother(service) });
    const crash = new Crash(diesAt);
    const first = this.#cloud.controller({ decorators: [crash.decorator] });
    crash.watch(service);
    const done = await this.#settle(first, service, change);
    crash.release(service);
    if (!done || crash.happened) await this.#settle(this.#cloud.controller(), service, change);
    if (change.kind === 'delete') this.#services.delete(who);
    this.#check(service, before);
  }

  /** All Services go, one after another. */
  async end(): Promise<void> {
    for (const who of this.#services.keys()) await this.play({ who, change: { kind: 'delete' }, diesAt: 0 });
    assert.deepEqual(this.#cloud.addresses(), [USERS, STRANGE], 'an address is left, or a user has lost one');
    assert.deepEqual(this.#cloud.rules().length, 1);
    assert.deepEqual(this.#cloud.firewall().length, 1);
  }

  #create(who: number): TestService {
    const uid = `${String(++this.#made).padStart(8, '0')}-2222-3333-4444-555555555555`;
    const service = new TestService({ name: `web-${who}`, uid });
    this.#services.set(who, service);
    return service;
  }

  /** What is there goes on to serve, and nothing new is tried. */
  async #changeWhileItHangs(service: TestService, change: Extract<Change, { kind: 'hang' }>): Promise<void> {
    const { publicIps } = this.#cloud.simulator.state;
    const address = publicIps.find((one) => one.address === service.view.ingress[0]?.ip);
    service.edit({ ports: change.ports.map((text) => port(text)) });
    if (!address) return;
    publicIps.update(address.id, { state: change.state });
    const rulesThere = (): readonly string[] =>
      this.#cloud.rules().filter((rule) => rule.includes(` ${address.address}:`));
    const before = rulesThere().length;
    await this.#settle(this.#cloud.controller(), service, change);
    assert.equal(rulesThere().length, before, 'a rule went or came on an address that hangs');
    publicIps.update(address.id, { state: 'Allocated' });
  }

  /** @returns whether it came to an end, with success or with what only its user can change */
  async #settle(controller: Controller, service: TestService, { kind }: Change): Promise<boolean> {
    for (let left = TRIES; left > 0; left--) {
      try {
        if (kind === 'delete') {
          await controller.delete(service);
          service.edit({ ingress: [] });
        } else await this.#ensure(controller, service);
        return true;
      } catch (thrown) {
        if (codeOf(thrown) === 'PROCESS_DIED') return false;
        if (isUsersMatter(thrown)) return true;
        if (left === 1) throw thrown;
      }
    }
    return false;
  }

  async #ensure(controller: Controller, service: TestService): Promise<void> {
    const { ingress } = await controller.ensure(service, this.#cloud.nodes(...NODES));
    service.edit({ ingress });
    const { uid, ports } = service.view;
    const places = this.#cloud.rules().flatMap((rule) => {
      const [name = '', place = ''] = rule.split(' ');
      return name.startsWith(loadBalancerName(uid)) ? [place] : [];
    });
    assert.deepEqual(places, ports.map(({ port: number }) => `${ingress[0]?.ip}:${number}`).sort());
  }

  #addressOfAnother(service: TestService): string {
    const others = [...this.#services.values()].filter((one) => one !== service);
    return others.flatMap(({ view }) => view.ingress.flatMap(({ ip }) => ip ?? []))[0] ?? '';
  }

  #rulesOfOthers({ view }: TestService): readonly string[] {
    return this.#cloud.rules().filter((rule) => !rule.startsWith(loadBalancerName(view.uid)));
  }

  #check(service: TestService, before: readonly string[]): void {
    assert.deepEqual(this.#rulesOfOthers(service), before, 'a rule of somebody else has changed');
    const addresses = this.#cloud.addresses();
    const rules = this.#cloud.rules();
    for (const address of [STRANGE, USERS]) assert.ok(addresses.includes(address), `${address} was released`);
    const alive = [...this.#services.values()];
    const places = rules.map((rule) => rule.split(' ')[1]?.split(':')[0]);
    const names = alive.map(({ view }) => loadBalancerName(view.uid));
    const orphans = rules.filter((rule) => ![...names, 'strange'].some((name) => rule.startsWith(name)));
    assert.deepEqual(orphans, [], 'a rule of a Service that is gone');
    // One whose only rule was refused is kept for when its user has thought again.
    const shown = alive.flatMap(({ view }) => view.ingress.map(({ ip }) => ip));
    const unused = addresses.filter((address) => ![...places, ...shown, USERS].includes(address));
    assert.deepEqual(unused, [], 'an address is held for nothing');
  }
}

/** The address is somebody else's, or another rule has the port: nothing helps but another wish. */
function isUsersMatter(thrown: unknown): boolean {
  if (thrown instanceof CombinedError) return thrown.errors.every(isUsersMatter);
  if (thrown instanceof ActionError)
    return thrown.cause instanceof CloudStackApiError && thrown.cause.errorCode === 537;
  return thrown instanceof AddressNotUsableError;
}

function codeOf(thrown: unknown): unknown {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  const { code, cause } = thrown as { readonly code?: unknown; readonly cause?: unknown };
  return code === 'ACTION_FAILED' ? codeOf(cause) : code;
}
