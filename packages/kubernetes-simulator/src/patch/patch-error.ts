import { CodedError } from '@cloudstack-ccm/base';

/** A patch that does not fit the object it is meant for. */
export class PatchError extends CodedError {
  readonly code = 'PATCH';
}
