import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startSimulator, type Simulator } from '../src/simulator.ts';
import { fixedJobTiming } from '../src/timing.ts';
import { versionProfiles } from '../src/version-profile.ts';
import { signed } from './caller.ts';
import { runGoClient, runPythonClient } from './real-clients.ts';

const NODES = ['node-1', 'node-2', 'node-3', 'node-4', 'node-5'];

/** A cluster's network with five machines, and a second network. */
class Cluster implements AsyncDisposable {
  readonly simulator: Simulator;

  private constructor(simulator: Simulator) {
    this.simulator = simulator;
  }

  static async start(version: string): Promise<Cluster> {
    const simulator = await startSimulator({
      version,
      timing: fixedJobTiming(20),
      scene: (world) => {
        world.account({ name: 'k8s' });
        world.zone({ name: 'zone-a' });
        world.network({ name: 'k8s-net', owner: 'k8s' });
        world.network({ name: 'another', owner: 'k8s' });
        for (const name of NODES) world.virtualMachine({ name, owner: 'k8s', networks: ['k8s-net'] });
      },
    });
    return new Cluster(simulator);
  }

  get machines(): string[] {
    return this.simulator.state.virtualMachines.filter(() => true).map(({ id }) => id);
  }

  get environment(): Readonly<Record<string, string>> {
    const { apiKey = '', secretKey = '' } = this.simulator.credentials.get('k8s') ?? {};
    return {
      CLOUDSTACK_KEY: apiKey,
      CLOUDSTACK_SECRET: secretKey,
      CLOUDSTACK_ZONE: 'zone-a',
      CLOUDSTACK_NETWORK: 'k8s-net',
    };
  }

  /** The code and the text with which a command is refused. */
  async refusal(command: string): Promise<unknown[]> {
    const { apiKey = '', secretKey = '' } = this.simulator.credentials.get('k8s') ?? {};
    const query = new URLSearchParams(signed({ command, response: 'json', apiKey }, secretKey));
    const response = await fetch(`${this.simulator.url}?${query.toString()}`);
    const [error] = Object.values((await response.json()) as Record<string, Record<string, unknown>>);
    return [error?.['errorcode'], error?.['errortext']];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.simulator.close();
  }
}

/** Programs that use CloudStack libraries which nobody here wrote. They fail where a library complains. */
describe('clients that know only CloudStack', { concurrency: 3 }, () => {
  it('work in Go, with the Apache SDK: rules, pages, jobs, errors', { timeout: 400_000 }, async () => {
    await using cluster = await Cluster.start('4.20');
    const { simulator, environment, machines } = cluster;
    const { address, zone, network, ...report } = (await runGoClient(simulator, environment)) as Record<
      string,
      unknown
    >;
    assert.match(String(address), /^203\.0\.113\.\d+$/);
    assert.equal(zone, simulator.state.zones.find(() => true)?.id);
    assert.equal(network, simulator.state.networks.find(({ name }) => name === 'k8s-net')?.id);
    assert.deepEqual(report, {
      machines,
      pagedMachines: machines,
      machineCount: 5,
      ruleState: 'Active',
      members: machines,
      firewall: '192.0.2.0/24',
      tags: ['cluster=a b'],
      conflict:
        'CloudStack API error 537 (CSExceptionErrorCode: 9999): The range specified, 80-80, conflicts with rule 1 which has 80-80',
      notFound: 'No match found for 00000000-0000-4000-8000-000000000000: <nil>',
      jobFailure: 'Undefined error: {"errorcode":530,"errortext":"Failed to assign load balancer rule"}',
      algorithm: 'source',
      rulesLeft: 0,
    });
  });

  for (const { name: version, ruleCidrList } of versionProfiles) {
    it(`work in Python, with cs, on ${version}: rules, pages, jobs, errors, POST`, { timeout: 400_000 }, async () => {
      await using cluster = await Cluster.start(version);
      const { simulator, environment, machines } = cluster;
      const denied = await cluster.refusal('listHosts');
      const cidrlist = ruleCidrList === 'refused' ? '' : '192.0.2.0/24 198.51.100.0/24';
      assert.deepEqual(await runPythonClient(simulator, environment), {
        machines,
        machineCount: 5,
        none: {},
        rule: { name: 'ünïcode & co', publicport: '443', cidrlist, state: 'Add' },
        assigned: true,
        tags: { a: '1', b: 'two words' },
        missing: [431, 'Unable to execute API command createloadbalancerrule due to missing parameter algorithm'],
        conflict: [537, 'The range specified, 443-443, conflicts with rule 1 which has 443-443'],
        denied,
        failedJob: [530, 'Failed to assign load balancer rule'],
        left: {},
        posted: 1,
      });
    });
  }
});
