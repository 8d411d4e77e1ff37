import type { OwnerIdentity } from '../ownership/marks.ts';
import type { Address } from './observed.ts';
import type { ServerFeatures } from './server-features.ts';

/** How a load balancer is dealt with, besides what is wanted and what is there. */
export interface Circumstances {
  readonly owner: OwnerIdentity;
  readonly features: ServerFeatures;
  /** The address that the rules belong on; undefined when there shall be none. */
  readonly address: Address | undefined;
  /** Where items for a VPC tier go; undefined when the tier has no ACL list that can be changed. */
  readonly aclList: { readonly id: string; readonly name: string } | undefined;
  /** Source lists for which this project opened ports: an unmarked firewall rule with just one of them, on a port of ours, is ours. */
  readonly expectedSources: readonly (readonly string[])[];
  /** True in the first sync of a load balancer that another controller made: its openings count as ours. */
  readonly adopting: boolean;
  /** Source ranges as the controller before us left them unapplied; undefined when that is settled. */
  readonly inheritedRanges: string | undefined;
  /** False when the role of our key may not set tags. */
  readonly marks: boolean;
  /** Unmarked firewall rules, by id, of which it is noted on the Service whose they are. */
  readonly notedOpenings: { readonly ours: ReadonlySet<string>; readonly foreign: ReadonlySet<string> };
  /** `none`: firewall rules and network ACL items are somebody else's business. */
  readonly accessRules: 'all' | 'none';
}
