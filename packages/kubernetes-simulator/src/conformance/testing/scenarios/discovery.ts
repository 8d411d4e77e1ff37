import { get, type Scenario } from '../scenario.ts';

const GROUPS = [
  'authentication.k8s.io',
  'authorization.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'rbac.authorization.k8s.io',
];

export const discoveryScenarios: readonly Scenario[] = [
  {
    name: 'discovery of whole groups',
    steps: GROUPS.flatMap((group) =>
      group === 'coordination.k8s.io' ? [] : [get(`/apis/${group}`), get(`/apis/${group}/v1`)],
    ),
  },
];
