import type { Clock, Logger } from '@cloudstack-ccm/base';
import type { Instances } from '@cloudstack-ccm/cloud-controllers';
import type { NodeOptions } from '../cloud-config/node-options.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { MachineFinder } from './finder.ts';
import { LookPass } from './look.ts';
import { InstanceDescriber } from './metadata.ts';

interface InstancesOptions {
  readonly inventory: Inventory;
  readonly clock: Clock;
  readonly log: Logger;
  /** The configured region; undefined makes each machine's zone its region. */
  readonly region: () => string | undefined;
  /** Which addresses and labels nodes get. */
  readonly nodes: () => NodeOptions;
  /** Changes whenever other credentials or another project come into use. */
  readonly generation: () => number;
}

/** Nodes and their virtual machines. */
export function createInstances(options: InstancesOptions): Instances {
  const finder = new MachineFinder(options.inventory, options.clock);
  const describer = new InstanceDescriber({ ...options, finder });
  return {
    metadata: (scope, node, wanted) => describer.describe(scope, node, wanted),
    look: (scope, suspects, others) => new LookPass(scope, options).run(suspects, others),
  };
}
