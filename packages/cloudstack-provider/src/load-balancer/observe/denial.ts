import { ForbiddenError, UnauthorizedError } from '@cloudstack-ccm/cloudstack-client';
import type { ServerFeatures } from '../plan/server-features.ts';

/** True if CloudStack refused a command because our role may not use it. */
export function isDenial(error: unknown, { deniesWith401 }: Pick<ServerFeatures, 'deniesWith401'>): boolean {
  return error instanceof ForbiddenError || (deniesWith401 && error instanceof UnauthorizedError);
}
