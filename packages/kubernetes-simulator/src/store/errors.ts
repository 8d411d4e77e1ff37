import { CodedError } from '@cloudstack-ccm/base';

/** History does not reach back to the revision that was asked for. */
export class CompactedError extends CodedError {
  readonly code = 'COMPACTED';
  readonly asked: number;
  readonly oldest: number;

  constructor(asked: number, oldest: number) {
    super(`history begins at revision ${oldest}, ${asked} was asked for`);
    this.asked = asked;
    this.oldest = oldest;
  }
}
