import { accessScenarios } from './scenarios/access.ts';
import { applyScenarios } from './scenarios/apply.ts';
import { decodingScenarios } from './scenarios/decoding.ts';
import { discoveryScenarios } from './scenarios/discovery.ts';
import { eventScenarios } from './scenarios/events.ts';
import { listScenarios } from './scenarios/lists.ts';
import { metadataScenarios } from './scenarios/metadata.ts';
import { nodeScenarios } from './scenarios/nodes.ts';
import { patchScenarios } from './scenarios/patches.ts';
import { serviceScenarios } from './scenarios/services.ts';
import type { Scenario } from './scenario.ts';

/** Everything that the simulator is held to. */
export const scenarios: readonly Scenario[] = [
  ...serviceScenarios,
  ...nodeScenarios,
  ...patchScenarios,
  ...applyScenarios,
  ...metadataScenarios,
  ...listScenarios,
  ...eventScenarios,
  ...accessScenarios,
  ...decodingScenarios,
  ...discoveryScenarios,
];
