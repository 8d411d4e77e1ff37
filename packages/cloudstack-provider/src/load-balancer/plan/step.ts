import type { Notice } from '@cloudstack-ccm/cloud-controllers';
import type { Action, Ref } from './actions.ts';

/** One action of a plan, and what it hangs on. */
export interface Step {
  readonly action: Action;
  /** Steps of one chain build on each other: when one fails, the later ones are left out. */
  readonly chain: string;
  /** Other chains that must have worked before. */
  readonly needs?: readonly string[];
  /** True: left out when anything at all failed before. */
  readonly last?: boolean;
  /** The lane in which it runs beside the steps that follow, after what was put into the lane before. */
  readonly aside?: 'access' | 'marks';
  /** True: what was put into the lane before need only be accepted by CloudStack, not done: the objects exist by then. */
  readonly eager?: boolean;
}

/** What to do, in order. No step means that the cloud is as it should be. */
export interface Plan {
  readonly steps: readonly Step[];
  /** Openings of ours that bear no mark when the steps are done, unless marking them is one of the steps. */
  readonly unmarked: readonly Ref[];
  /** Firewall rules of others to be noted as such before the steps make them look like ours. */
  readonly lookalikes: readonly string[];
  /** What the user should know about it. */
  readonly notices: readonly Notice[];
}
