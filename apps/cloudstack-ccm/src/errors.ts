import { CodedError } from '@cloudstack-ccm/base';

/** The program cannot start as it was told to: what klog calls fatal, with exit code 255. */
export class FatalError extends CodedError {
  readonly code = 'FATAL';
}
