import { InvalidInputError } from '@cloudstack-ccm/base';
import type { Settings } from './settings.ts';
import type { SkewedClock } from './skewed-clock.ts';
import type { Network, State, User } from './state.ts';

/** What an operator, or bad luck, changes behind the API's back. Nothing here is a call that clients can make. */
export class Conditions {
  readonly #state: State;
  readonly #clock: SkewedClock;

  constructor(state: State, clock: SkewedClock) {
    this.#state = state;
    this.#clock = clock;
  }

  /** Sets the server's wall time wrong: ahead by so many milliseconds, or behind if negative. 0 is right again. */
  skewClock(ms: number): void {
    this.#clock.skewMs = ms;
  }

  get clockSkewMs(): number {
    return this.#clock.skewMs;
  }

  /** Changes global settings, quotas among them. */
  configure(settings: Partial<Settings>): void {
    this.#state.settings = { ...this.#state.settings, ...settings };
  }

  /** Makes an account's keys unknown. @returns what gives them back. */
  revokeKeys(account: string): () => void {
    const users = this.#usersOf(account);
    for (const { apiKey: _, furtherKeys: _further, ...user } of users) this.#state.users.replace(user);
    return () => {
      for (const user of users) this.#state.users.replace(user);
    };
  }

  /** Lets an account's keys belong to another one, which sees nothing of the first. @returns what moves them back. */
  moveKeys(account: string, to: string): () => void {
    const users = this.#usersOf(account);
    const accountId = this.#accountId(to);
    for (const user of users) this.#state.users.update(user.id, { accountId });
    return () => {
      for (const user of users) this.#state.users.replace(user);
    };
  }

  /** Stops or starts the router of a network or VPC, given by id or name. */
  setRouter(network: string, state: 'Running' | 'Stopped'): void {
    const [router] = this.#state.routers.by('home', this.#routerHome(network));
    if (!router) throw new InvalidInputError(`${network} has no router`);
    this.#state.routers.update(router.id, { state });
  }

  #routerHome(name: string): string {
    const { networks, vpcs } = this.#state;
    const named = ({ id, name: own }: Pick<Network, 'id' | 'name'>): boolean => id === name || own === name;
    const network = networks.find(named);
    return network?.vpcId ?? network?.id ?? vpcs.find(named)?.id ?? name;
  }

  #usersOf(account: string): User[] {
    return this.#state.users.by('accountId', this.#accountId(account));
  }

  #accountId(name: string): string {
    const account = this.#state.accounts.find((row) => row.name === name);
    if (!account) throw new InvalidInputError(`There is no account ${name}`);
    return account.id;
  }
}
