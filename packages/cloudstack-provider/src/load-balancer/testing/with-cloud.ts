import { after, before, beforeEach } from 'node:test';
import type { LoadBalancerStatus, NodeView } from '@cloudstack-ccm/cloud-controllers';
import { Cloud, type CloudOptions } from './cloud.ts';
import type { TestService } from './service.ts';

/** One simulator for all tests of a suite; each begins with the scene as it was. */
export function withCloud(options: CloudOptions = {}): () => Cloud {
  let cloud: Cloud | undefined;
  before(async () => {
    cloud = await Cloud.start(options);
  });
  beforeEach(() => cloud?.reset());
  after(() => cloud?.close());
  return () => {
    if (!cloud) throw new Error('the suite has not begun');
    return cloud;
  };
}

interface Hands {
  readonly nodes: () => readonly NodeView[];
  readonly ensure: (service: TestService) => Promise<LoadBalancerStatus>;
  readonly remove: (service: TestService) => Promise<void>;
}

/** What is done most: by a controller that has just started, each time, with all three nodes. */
export function hands(cloud: () => Cloud): Hands {
  const nodes = (): readonly NodeView[] => cloud().nodes('node-1', 'node-2', 'node-3');
  return {
    nodes,
    ensure: (service) => cloud().controller().ensure(service, nodes()),
    remove: (service) => cloud().controller().delete(service),
  };
}
