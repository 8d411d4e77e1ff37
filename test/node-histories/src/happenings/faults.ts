import type { FaultAction } from '@cloudstack-ccm/cloudstack-simulator';
import type { Fault } from '@cloudstack-ccm/kubernetes-simulator';
import type { Chance } from '../chance.ts';
import type { Machines } from '../machines.ts';
import type { Happening } from './happening.ts';

/** No machine at all, in an answer that is complete and authorised. */
export const EMPTY = {
  kind: 'http',
  status: 200,
  contentType: 'application/json',
  body: '{"listvirtualmachinesresponse":{}}',
} as const;

/** What the cloud does wrong, for a while or for some calls. */
const CLOUD_FAULTS: readonly (readonly [name: string, action: FaultAction])[] = [
  ['says 401', { kind: 'api-error', code: 401, text: 'unable to verify user credentials' }],
  ['says 432', { kind: 'api-error', code: 432, text: 'The API does not exist or is blacklisted' }],
  ['says 530', { kind: 'api-error', code: 530, text: 'Internal error' }],
  ['is behind a proxy that says 503 in HTML', { kind: 'http', status: 503, body: '<html>no</html>' }],
  ['is behind a proxy that says 200 in HTML', { kind: 'http', status: 200, body: '<html>log in</html>' }],
  ['shows no machine at all', EMPTY],
  ['does not answer', { kind: 'hang' }],
  ['answers late', { kind: 'latency', ms: 7000 }],
  ['resets connections', { kind: 'reset' }],
  ['loses answers', { kind: 'lost-answer' }],
  ['cuts answers', { kind: 'cut-body' }],
  ['answers nonsense', { kind: 'invalid-body' }],
  ['answers nothing', { kind: 'empty-body' }],
  ['says 429', { kind: 'rate-limit', retryMs: 3000 }],
];

const CLUSTER_FAULTS: readonly (readonly [name: string, fault: Fault])[] = [
  ['says 500', { kind: 'status', status: 500 }],
  ['says 409', { kind: 'status', status: 409 }],
  ['says 403', { kind: 'status', status: 403 }],
  ['says 429', { kind: 'status', status: 429, retryAfterSeconds: 2 }],
  ['resets connections', { kind: 'reset' }],
  ['resets connections after the deed', { kind: 'resetAfterCommit' }],
  ['cuts answers', { kind: 'cutBody', afterBytes: 200 }],
  ['does not answer', { kind: 'hang' }],
  ['answers late', { kind: 'delay', ms: 4000 }],
  ['has forgotten history', { kind: 'expired' }],
  ['breaks watches within a line', { kind: 'watch', afterLines: 1, ending: 'cutLine' }],
  ['lets watches fall silent', { kind: 'watch', afterLines: 1, ending: 'silence' }],
];

const cloudFault: Happening = {
  name: 'cloud fault',
  weight: 7,
  happen: ({ machines, chance }) => {
    const chosen = chance.pick(CLOUD_FAULTS);
    if (!chosen) return undefined;
    const [name, action] = chosen;
    if (action === EMPTY) return showNothing(machines, chance);
    const [when, limit] = whenOf(chance);
    machines.simulator.faults.add({ action, ...limit });
    return `CloudStack ${name} ${when}`;
  },
};

function whenOf(chance: Chance): readonly [when: string, limit: object] {
  const some = { count: chance.between(1, 3), skip: chance.between(0, 2) };
  const choices = [
    ['from now on', {}],
    ['to every other call', { probability: 0.5 }],
    ['to some calls', some],
  ] as const;
  return chance.pick(choices) ?? choices[0];
}

function showNothing(machines: Machines, chance: Chance): string | undefined {
  const lasting = chance.happens(0.5);
  if (!lasting && !machines.mayLieOnce()) return undefined;
  const limit = lasting ? {} : { count: chance.between(1, 3) };
  machines.simulator.faults.add({ action: EMPTY, command: 'listVirtualMachines', ...limit });
  return `CloudStack shows no machine at all ${lasting ? 'from now on' : 'to some calls'}`;
}

const clusterFault: Happening = {
  name: 'cluster fault',
  weight: 5,
  happen: ({ nodes, chance }) => {
    const chosen = chance.pick(CLUSTER_FAULTS);
    if (!chosen) return undefined;
    const [name, fault] = chosen;
    const resource = chance.happens(0.7) ? { resource: 'nodes' } : {};
    nodes.simulator.faults.add({ fault, times: chance.between(1, 4), skip: chance.between(0, 3), ...resource });
    return `the API server ${name} for some calls`;
  },
};

/** What goes wrong in both clouds, and gets well again. */
export const FAULTS: readonly Happening[] = [
  cloudFault,
  clusterFault,
  {
    name: 'cloud well again',
    weight: 7,
    happen: ({ machines }) => {
      machines.simulator.faults.clear();
      machines.restoreKeys();
      machines.simulator.conditions.skewClock(0);
      machines.simulator.conditions.configure({ throttlingEnabled: false });
      return 'CloudStack is well again';
    },
  },
  {
    name: 'clock skew',
    weight: 1,
    happen: ({ machines, chance }) => {
      const ms = chance.pick([-3_600_000, 3_600_000, 90_000]) ?? 0;
      machines.simulator.conditions.skewClock(ms);
      return `the clock of CloudStack is wrong by ${ms} ms`;
    },
  },
  {
    name: 'throttling',
    weight: 1,
    happen: ({ machines, chance }) => {
      const most = chance.between(1, 5);
      machines.simulator.conditions.configure({
        throttlingEnabled: true,
        throttlingMax: most,
        throttlingIntervalSeconds: 5,
      });
      return `an account may call ${most} times in 5 s`;
    },
  },
  { name: 'drop watches', weight: 1, happen: ({ nodes }) => `${nodes.simulator.faults.dropWatches()} watches break` },
  {
    name: 'expire watches',
    weight: 1,
    happen: ({ nodes }) => `${nodes.simulator.faults.expireWatches()} watches expire`,
  },
];
