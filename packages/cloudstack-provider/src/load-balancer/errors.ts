import { CodedError, shorten } from '@cloudstack-ccm/base';
import { describe, type Action, type Ref } from './plan/actions.ts';
import type { Member } from './members/members.ts';
import type { Problem } from './annotations/problem.ts';

/** An annotation may hold 256 KB, and what is wrong with it goes to logs and events. */
const LONGEST_PROBLEM = 500;

/** The Service cannot be served as it is written. Nothing was changed in the cloud. */
export class InvalidServiceError extends CodedError {
  readonly code = 'INVALID_SERVICE';
  readonly problems: readonly Problem[];
  /** Only a change of the Service helps, which is noticed at once: until then, it is looked at now and then. */
  readonly retryAfterMs = 300_000;

  constructor(problems: readonly Problem[]) {
    super(problems.map((problem) => shorten(problem.message, LONGEST_PROBLEM)).join('; '));
    this.problems = problems;
  }
}

/** The cloud cannot do what is asked for, now. Nothing was allocated for it. */
export class NotServableError extends CodedError {
  readonly code = 'NOT_SERVABLE';
  readonly retryAfterMs = 300_000;
}

/** No machine was found for any node, or their networks do not fit together. Nothing was changed. */
export class NodesNotMatchedError extends CodedError {
  readonly code = 'NODES_NOT_MATCHED';
}

/** The public IP address that is asked for cannot be used. Nothing was changed. */
export class AddressNotUsableError extends CodedError {
  readonly code = 'ADDRESS_NOT_USABLE';
}

/** A look that may not change anything has come to where it would. */
export class LookCloserError extends CodedError {
  readonly code = 'LOOK_CLOSER';

  constructor() {
    super('something is to be done that a glance can not do');
  }
}

/** A plan that contradicts itself: a fault in the program, not in the cloud. */
export class UnmadeObjectError extends CodedError {
  readonly code = 'UNMADE_OBJECT';

  constructor(ref: Ref) {
    super(`the plan refers to ${JSON.stringify(ref)}, which none of its steps before has made`);
  }
}

/** One action of a plan failed. The steps that build on it were left out, all others were carried out. */
export class ActionError extends CodedError {
  readonly code = 'ACTION_FAILED';
  readonly action: Action;
  override readonly cause: Error;

  constructor(action: Action, cause: Error) {
    super(`failed to ${describe(action)}: ${cause.message}`);
    this.action = action;
    this.cause = cause;
  }
}

/** CloudStack refused some machines as members of a rule; it does not say why. The others were added. */
export class MembersRefusedError extends CodedError {
  readonly code = 'MEMBERS_REFUSED';
  readonly refused: readonly Member[];

  constructor(refused: readonly Member[], cause: Error) {
    super(`${refused.map((member) => `${member.name} (${member.machineId})`).join(', ')} refused: ${cause.message}`);
    this.refused = refused;
  }
}
