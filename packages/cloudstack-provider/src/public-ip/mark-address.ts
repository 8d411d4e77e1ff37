import type { PublicIp, Tag } from '@cloudstack-ccm/cloudstack-client';
import type { Step } from '../load-balancer/plan/step.ts';
import { anyMarks, marksOf, ownershipOf, type OwnerIdentity } from '../ownership/marks.ts';

interface Marking {
  readonly owner: OwnerIdentity;
  /** True if nobody else can have marked it since it was taken: marks on it are those of a former owner. */
  readonly stale: boolean;
}

/**
 * Puts our marks on an address that we took. Marks that another Service has set stay: the address is shared, and
 * released by the last one.
 */
export function markAddress(address: Pick<PublicIp, 'id' | 'tags'>, { owner, stale }: Marking): readonly Step[] {
  const ownership = ownershipOf(address.tags, owner);
  if (ownership === 'ours' || (ownership === 'others' && !stale)) return [];
  return [...unmarkAddress(address), tagStep('add-tags', address, marksOf(owner))];
}

/** Takes our marks off an address, so that its next owner is not taken for ours. */
export function unmarkAddress(address: Pick<PublicIp, 'id' | 'tags'>): readonly Step[] {
  const former = anyMarks(address.tags);
  return former.length > 0 ? [tagStep('remove-tags', address, former)] : [];
}

function tagStep(kind: 'add-tags' | 'remove-tags', { id }: { readonly id: string }, tags: readonly Tag[]): Step {
  const action = { kind, resourceType: 'PublicIpAddress', objects: [{ id }], tags } as const;
  return { chain: 'marks of the address', aside: 'marks', action };
}
