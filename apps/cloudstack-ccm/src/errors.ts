import { CodedError, messageOf } from '@cloudstack-ccm/base';

/** The cloud cannot be set up. It ends the process with 255, as it ends the Go controller. */
export class CloudError extends CodedError {
  readonly code = 'CLOUD';

  /** @param provider name of the provider whose set-up failed; absent when there is none. */
  static of(cause: unknown, provider?: string): CloudError {
    const what = provider === undefined ? '' : `could not init cloud provider "${provider}": `;
    return new CloudError(`Cloud provider could not be initialized: ${what}${messageOf(cause)}`, { cause });
  }
}
