import { resourceTag, type ResourceTag, type Tag } from '../entities/tag.ts';
import { jobCommand, listCommand } from './command.ts';
import { success } from './results.ts';

/** Kinds of objects that take tags, as far as this project marks them. `NetworkACL` is an item. */
export type TaggedResource = 'LoadBalancer' | 'PublicIpAddress' | 'FirewallRule' | 'NetworkACL' | 'Network' | 'UserVm';

export type TagFilter = {
  readonly resourceType?: TaggedResource | undefined;
  readonly resourceId?: string | undefined;
  readonly key?: string | undefined;
  readonly value?: string | undefined;
  readonly listAll?: boolean | undefined;
};

/** A tag is no proof of its object. */
export const listTags = listCommand<TagFilter, ResourceTag>({
  command: 'listTags',
  items: 'tag',
  decode: resourceTag,
  takesProject: true,
  identify: (tag) => `${tag.resourceType}/${tag.resourceId}/${tag.key.toLowerCase()}`,
});

export type TagChange = {
  readonly resourceType: TaggedResource;
  readonly resourceIds: readonly string[];
  readonly tags: readonly Tag[];
};

/** Not idempotent: a key that one of the objects has already, whatever its value, fails the job with 530. */
export const createTags = jobCommand<TagChange, void>({ command: 'createTags', decode: success });

/** Not idempotent: when nothing matches, the job fails with 530. */
export const deleteTags = jobCommand<TagChange, void>({ command: 'deleteTags', decode: success });
