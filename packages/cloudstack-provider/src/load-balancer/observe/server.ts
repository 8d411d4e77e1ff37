import type { OwnerIdentity } from '../../ownership/marks.ts';
import type { ServerFeatures } from '../plan/server-features.ts';

/** For whom we work, and on what. */
export interface Server {
  readonly owner: OwnerIdentity;
  readonly features: ServerFeatures;
}
