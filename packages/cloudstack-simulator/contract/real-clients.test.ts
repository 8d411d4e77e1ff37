import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startSimulator, type Simulator } from '../src/simulator.ts';
import { fixedJobTiming } from '../src/timing.ts';
import { runGoClient, runPythonClient } from './real-clients.ts';

/** Programs that use CloudStack libraries which nobody here wrote. They fail where a library complains. */
describe('clients that know only CloudStack', () => {
  let simulator: Simulator;
  let environment: Readonly<Record<string, string>>;
  let machines: readonly string[];

  before(async () => {
    simulator = await startSimulator({
      version: '4.20',
      timing: fixedJobTiming(20),
      scene: (world) => {
        const { apiKey, secretKey } = world.account({ name: 'k8s' });
        environment = {
          CLOUDSTACK_KEY: apiKey,
          CLOUDSTACK_SECRET: secretKey,
          CLOUDSTACK_ZONE: 'zone-a',
          CLOUDSTACK_NETWORK: 'k8s-net',
        };
        world.zone({ name: 'zone-a' });
        world.network({ name: 'k8s-net', owner: 'k8s' });
        world.network({ name: 'another', owner: 'k8s' });
        const names = ['node-1', 'node-2', 'node-3', 'node-4', 'node-5'];
        machines = names.map((name) => world.virtualMachine({ name, owner: 'k8s', networks: ['k8s-net'] }).id);
      },
    });
  });

  after(() => simulator.close());

  it('work in Go, with the Apache SDK: rules, pages, jobs, errors', { timeout: 400_000 }, async () => {
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

  it('work in Python, with `cs`: rules, pages, jobs, errors, POST', { timeout: 400_000 }, async () => {
    const ruleNumber = simulator.state.loadBalancerRules.sequence.next;
    const report = await runPythonClient(simulator, environment);
    const { id, internalId } = simulator.credentials.get('k8s')?.account ?? {};
    const account = JSON.stringify({ accountName: 'k8s', id: internalId, uuid: id });
    const denied = `The API [listHosts] does not exist or is not available for the account Account [${account}].`;
    assert.deepEqual(report, {
      machines,
      machineCount: 5,
      none: {},
      rule: {
        name: 'ünïcode & co',
        publicport: '443',
        cidrlist: '192.0.2.0/24 198.51.100.0/24',
        state: 'Add',
      },
      assigned: true,
      tags: { a: '1', b: 'two words' },
      missing: [431, 'Unable to execute API command createloadbalancerrule due to missing parameter algorithm'],
      conflict: [537, `The range specified, 443-443, conflicts with rule ${ruleNumber} which has 443-443`],
      denied: [432, denied],
      failedJob: [530, 'Failed to assign load balancer rule'],
      left: {},
      posted: 1,
    });
  });
});
