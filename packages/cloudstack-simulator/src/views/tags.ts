import type { Call } from '../call.ts';
import type { JsonObject } from '../json.ts';
import type { Tag } from '../state.ts';
import { showOwner } from './owner.ts';

/** Tags of a load balancer rule, address, firewall rule, network, ACL item or VPC. */
export function showTags(call: Call, resourceId: string): readonly JsonObject[] {
  return call.state.tags.by('resourceId', resourceId).map(({ key, value, customer }) => ({ key, value, customer }));
}

/** Tags of a machine, project or zone, and those of listTags. */
export function showFullTags(call: Call, resourceId: string): readonly JsonObject[] {
  return call.state.tags.by('resourceId', resourceId).map((tag) => showTag(call, tag));
}

export function showTag(call: Call, tag: Tag): JsonObject {
  return {
    key: tag.key,
    value: tag.value,
    resourcetype: tag.resourceType,
    resourceid: tag.resourceId,
    ...showOwner(call, tag.accountId),
    customer: tag.customer,
  };
}
