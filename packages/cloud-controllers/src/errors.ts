import { CodedError, messageOf } from '@cloudstack-ccm/base';

/** A sync did not succeed. The message says which step failed, in the framework's words; `cause` is why. */
export class SyncError extends CodedError {
  readonly code = 'SYNC';

  constructor(step: string, cause: unknown) {
    super(`${step}: ${messageOf(cause)}`, { cause });
  }
}

/**
 * As SyncError, but it hides from the queue a fixed delay that the cause may ask for: the framework retries the
 * removal of a load balancer with back-off only.
 */
export class CleanupError extends CodedError {
  readonly code = 'CLEANUP';

  constructor(step: string, cause: unknown) {
    super(`${step}: ${messageOf(cause)}`);
  }
}

/** The cloud gave no provider ID for a node that has none. */
export class MissingProviderIdError extends CodedError {
  readonly code = 'MISSING_PROVIDER_ID';

  constructor(node: string) {
    super(`cloud provider does not set node provider ID for node ${node}`);
  }
}

/** The serving endpoint cannot be set up: its message names the file or the flag. */
export class ServingError extends CodedError {
  readonly code = 'SERVING';
}

/** The manager cannot go on: what it needs at start is not there. */
export class ManagerError extends CodedError {
  readonly code = 'MANAGER';
}
