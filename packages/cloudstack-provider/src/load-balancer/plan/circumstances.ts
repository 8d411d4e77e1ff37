import type { NotedOpenings } from '../../access/firewall.ts';
import type { OwnerIdentity } from '../../ownership/marks.ts';
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
  /** Sources that this project opens ports for: an unmarked firewall rule with just these, on a port of ours, is ours. */
  readonly expectedCidrs: readonly string[];
  /** True in the first sync of a load balancer that another controller made: its openings count as ours. */
  readonly adopting: boolean;
  /** Source ranges as the controller before us left them unapplied; undefined when that is settled. */
  readonly inheritedRanges: string | undefined;
  /** False when the role of our key may not set tags. */
  readonly marks: boolean;
  /** What is noted on the Service about unmarked firewall rules. */
  readonly notedOpenings: NotedOpenings;
  /** `none`: firewall rules and network ACL items are somebody else's business. */
  readonly accessRules: 'all' | 'none';
}
