import type { Notice } from '@cloudstack-ccm/cloud-controllers';
import {
  CapacityError,
  CloudStackApiError,
  ConflictError,
  InvalidParameterError,
  LimitExceededError,
} from '@cloudstack-ccm/cloudstack-client';
import type { Action } from '../plan/actions.ts';
import { isDenial } from '../observe/denial.ts';
import { MembersRefusedError, type ActionError } from '../errors.ts';
import { notice } from './events.ts';
import type { ServerFeatures } from '../plan/server-features.ts';

/** What a failed action means to the user. */
export interface Explanation {
  readonly notice: Notice | undefined;
  /** True if the load balancer works without the action, and trying again is pointless. */
  readonly tolerable: boolean;
}

const TAGGING = new Set<Action['kind']>(['add-tags', 'remove-tags']);
const ACCESS_LISTS = new Set<Action['kind']>(['create-acl-item', 'update-acl-item', 'delete-acl-item']);
const STICKINESS = new Set<Action['kind']>(['set-stickiness', 'remove-stickiness']);
const STICKINESS_COMMANDS = 'listLBStickinessPolicies, createLBStickinessPolicy and deleteLBStickinessPolicy';

/** Puts into plain words what CloudStack says against an action. */
export function explain({ action, cause, message }: ActionError, features: ServerFeatures): Explanation {
  if (isDenial(cause, features)) return explainForbidden(action, message);
  if (cause instanceof MembersRefusedError) return { notice: notice('MemberRefused', cause.message), tolerable: false };
  return { notice: cause instanceof CloudStackApiError ? explainRefusal(action, cause) : undefined, tolerable: false };
}

function explainForbidden(action: Action, message: string): Explanation {
  if (TAGGING.has(action.kind)) return { notice: notice('TaggingNotPermitted', message), tolerable: true };
  if (ACCESS_LISTS.has(action.kind)) return { notice: notice('NetworkAclNotPermitted', message), tolerable: true };
  return { notice: STICKINESS.has(action.kind) ? stickinessNotPermitted(message) : undefined, tolerable: false };
}

export function stickinessNotPermitted(message: string): Notice {
  return notice('StickinessNotPermitted', `${message}; stickiness needs the ${STICKINESS_COMMANDS} APIs`);
}

function explainRefusal(action: Action, cause: CloudStackApiError): Notice | undefined {
  if (cause instanceof LimitExceededError) return notice('AddressLimitReached', cause.text);
  if (cause instanceof CapacityError && action.kind === 'associate-address') {
    const what = action.address === undefined ? 'no public IP is free' : `public IP ${action.address} is not free`;
    return notice('AddressPoolExhausted', `${what}: ${cause.text}`);
  }
  if (action.kind !== 'create-rule') return undefined;
  const port = `${action.protocol} port ${action.publicPort} of ${action.address}`;
  if (cause instanceof ConflictError) return notice('PortConflict', `${port} is taken: ${cause.text}`);
  return cause instanceof InvalidParameterError
    ? notice('RuleRefused', `${port} is refused: ${cause.text}`)
    : undefined;
}
