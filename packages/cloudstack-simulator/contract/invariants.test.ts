import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FakeClock } from '@cloudstack-ccm/base';
import { Random } from '../src/random.ts';
import { startSimulator, type Simulator } from '../src/simulator.ts';
import type { Job, StateSnapshot } from '../src/state.ts';
import { fixedJobTiming } from '../src/timing.ts';
import { Caller, signed } from './caller.ts';
import { brokenInvariants } from './invariants.ts';
import { CallDrawer, KnownIds, type RandomCall } from './random-calls.ts';

const SEQUENCES = 1000;
const CALLS = 14;

/** Which kind of object a command makes. */
const MADE: Readonly<Record<string, string>> = {
  associateIpAddress: 'ip',
  createLoadBalancerRule: 'rule',
  createFirewallRule: 'firewall',
  createPortForwardingRule: 'forwarding',
  createNetworkACL: 'item',
  createLoadBalancer: 'balancer',
};

/** Calls that must have been accepted often, or the test says nothing. */
const MUTATIONS = [
  'createLoadBalancerRule',
  'createLoadBalancer',
  'assignToLoadBalancerRule',
  'createFirewallRule',
  'destroyVirtualMachine',
];

/** The lists that must show nobody else's things. */
const LISTS = [
  'listLoadBalancerRules',
  'listLoadBalancers',
  'listVirtualMachines',
  'listPublicIpAddresses',
  'listNetworks',
  'listTags',
];

/** The offering of tiers with balancers inside. */
const INTERNAL = 'DefaultIsolatedNetworkOfferingForVpcNetworksWithInternalLB';

type Fields = Readonly<Record<string, unknown>>;

describe('random sequences of valid and invalid calls', () => {
  let simulator: Simulator;
  let clock: FakeClock;
  let caller: Caller;
  let beginning: StateSnapshot;
  /** Calls that were accepted, by command. */
  const succeeded = new Map<string, number>();
  const seed = Number(process.env['SEED'] ?? 20_261_130);

  before(async () => {
    clock = new FakeClock();
    const scene = (world: Parameters<NonNullable<Parameters<typeof startSimulator>[0]>['scene'] & object>[0]): void => {
      for (const owner of ['alice', 'bob']) {
        world.account({ name: owner });
        world.network({ name: `${owner}-net`, owner, cidr: '10.1.1.0/24' });
        world.vpc({ name: `${owner}-vpc`, owner });
        world.aclList({ name: `${owner}-acl`, vpc: `${owner}-vpc` });
        world.network({ name: `${owner}-tier`, owner, vpc: `${owner}-vpc`, cidr: '10.2.1.0/24', acl: `${owner}-acl` });
        world.network({ name: `${owner}-inner`, owner, vpc: `${owner}-vpc`, cidr: '10.2.2.0/24', offering: INTERNAL });
        for (const network of [`${owner}-net`, `${owner}-net`, `${owner}-tier`, `${owner}-inner`]) {
          const name = `${network}-${world.backend.state.virtualMachines.size}`;
          world.virtualMachine({ name, owner, networks: [network] });
        }
      }
    };
    simulator = await startSimulator({ version: '4.20', clock, timing: fixedJobTiming(100), scene, seed });
    caller = new Caller(simulator.port);
    beginning = simulator.snapshot();
  });

  after(async () => {
    caller[Symbol.dispose]();
    await simulator.close();
  });

  it(`never break what always holds (${SEQUENCES} sequences, seed ${seed})`, async () => {
    for (let sequence = 0; sequence < SEQUENCES; sequence++) await playOne(new Random(seed + sequence), sequence);
    // Neither all of it nothing, nor all of it right.
    for (const command of MUTATIONS) {
      assert.ok((succeeded.get(command) ?? 0) > 50, `${command} was accepted ${succeeded.get(command)} times only`);
    }
  });

  async function playOne(random: Random, sequence: number): Promise<void> {
    simulator.restore(beginning);
    const ids = startingIds();
    const drawer = new CallDrawer(random, ids);
    const played: RandomCall[] = [];
    const seen = new Map<string, Job>();
    for (let number = 0; number < CALLS; number++) {
      const call = drawer.draw();
      played.push(call);
      const { id, errorcode } = await send(call);
      if (errorcode === undefined) succeeded.set(call.command, (succeeded.get(call.command) ?? 0) + 1);
      const kind = MADE[call.command];
      if (kind !== undefined && typeof id === 'string') ids.add(kind, call.account, id);
      await clock.advance(random.integer(0, 150));
      check(played, sequence, [...brokenInvariants(simulator.state), ...endedTwice(seen)]);
    }
    await clock.advance(100 * CALLS + 1000);
    check(played, sequence, [...brokenInvariants(simulator.state), ...endedTwice(seen), ...unfinished()]);
    check(played, sequence, [...(await foreignIn('alice')), ...(await foreignIn('bob'))]);
  }

  function check(played: readonly RandomCall[], sequence: number, broken: readonly string[]): void {
    const story = played.map(
      ({ account, command, parameters }) => `${account}: ${command} ${JSON.stringify(parameters)}`,
    );
    assert.deepEqual(broken, [], `seed ${seed}, sequence ${sequence}:\n${story.join('\n')}`);
  }

  function startingIds(): KnownIds {
    const { networks, vpcs, virtualMachines, aclLists, publicIps, accounts } = simulator.state;
    const ids = new KnownIds();
    const owner = (accountId: string | undefined): string => accounts.get(accountId ?? '')?.name ?? 'nobody';
    for (const row of networks.values()) {
      ids.add('network', owner(row.accountId), row.id);
      if (row.name.endsWith('-inner')) ids.add('inner', owner(row.accountId), row.id);
    }
    for (const row of vpcs.values()) ids.add('vpc', owner(row.accountId), row.id);
    for (const row of virtualMachines.values()) ids.add('vm', owner(row.accountId), row.id);
    for (const row of aclLists.values()) ids.add('acl', owner(vpcs.get(row.vpcId ?? '')?.accountId), row.id);
    for (const row of publicIps.filter((ip) => ip.state !== 'Free')) ids.add('ip', owner(row.accountId), row.id);
    return ids;
  }

  async function send({ account, command, parameters }: RandomCall): Promise<Fields> {
    const { apiKey = '', secretKey = '' } = simulator.credentials.get(account) ?? {};
    const all = signed({ command, ...parameters, response: 'json', apiKey }, secretKey);
    const { text, status } = await caller.send({ method: 'GET', path: '/client/api', parameters: all });
    assert.ok(status !== 500, `${command} ${JSON.stringify(parameters)} answers ${status} ${text}`);
    const [content] = Object.values(JSON.parse(text) as Readonly<Record<string, Fields>>);
    return content ?? {};
  }

  /** Jobs whose end changed after they had ended. */
  function endedTwice(seen: Map<string, Job>): string[] {
    const changed: string[] = [];
    for (const job of simulator.state.jobs.values()) {
      const before = seen.get(job.id);
      if (before && before.status !== 'pending' && before !== job) changed.push(`${job.command} ended twice`);
      seen.set(job.id, job);
    }
    return changed;
  }

  function unfinished(): string[] {
    return simulator.state.jobs.filter((job) => job.status === 'pending').map((job) => `${job.command} never ended`);
  }

  /** What an account sees in its lists that is not its own. */
  async function foreignIn(account: string): Promise<string[]> {
    const found: string[] = [];
    for (const command of LISTS) {
      const answer = await send({ account, command, parameters: { listall: 'true' } });
      const items = Object.values(answer).find((value) => Array.isArray(value)) ?? [];
      for (const item of items as Fields[]) {
        if (item['account'] !== account)
          found.push(`${account} sees in ${command} a thing of ${String(item['account'])}`);
      }
    }
    return found;
  }
});
