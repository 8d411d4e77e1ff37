import { InvalidInputError } from '@cloudstack-ccm/base';

export interface ElectionTimes {
  /** How long others must see an unchanged record before they may take the lease. */
  readonly leaseDurationMs: number;
  /** How long the leader tries to renew before it gives up. */
  readonly renewDeadlineMs: number;
  /** Pause between tries. */
  readonly retryPeriodMs: number;
}

/** Spreads the tries of standbys: their pause is the retry period plus up to this share of it. */
export const JITTER_FACTOR = 1.2;

/** client-go's rules, in its words. @throws InvalidInputError */
export function checkElectionTimes({ leaseDurationMs, renewDeadlineMs, retryPeriodMs }: ElectionTimes): void {
  if (leaseDurationMs <= renewDeadlineMs) throw invalid('leaseDuration must be greater than renewDeadline');
  if (renewDeadlineMs <= JITTER_FACTOR * retryPeriodMs) {
    throw invalid('renewDeadline must be greater than retryPeriod*JitterFactor');
  }
  if (leaseDurationMs < 1000) throw invalid('leaseDuration must be at least one second');
  if (retryPeriodMs <= 0) throw invalid('retryPeriod must be greater than zero');
}

function invalid(message: string): InvalidInputError {
  return new InvalidInputError(message);
}
