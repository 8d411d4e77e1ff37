import type { Scope } from '@cloudstack-ccm/base';
import { CloudStackApiError, UnauthorizedError, type CloudStackClient } from '@cloudstack-ccm/cloudstack-client';

/**
 * Makes a harmless call. That the role does not permit it is an answer too.
 * @throws UnauthorizedError when the keys are refused, and the errors of a server that does not answer
 */
export async function probe(scope: Scope, client: Pick<CloudStackClient, 'listCapabilities'>): Promise<void> {
  try {
    await client.listCapabilities(scope);
  } catch (error) {
    if (!(error instanceof CloudStackApiError) || error instanceof UnauthorizedError) throw error;
  }
}
