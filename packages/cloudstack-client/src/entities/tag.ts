import { object, type Decode } from '../decode.ts';

/** A key and a value on an object. CloudStack compares both without regard to case. */
export type Tag = {
  readonly key: string;
  readonly value: string;
};

/** A tag as listTags gives it. It is no proof that the object still exists: those of a load balancer rule outlive it. */
export interface ResourceTag extends Tag {
  /** In CloudStack's own spelling, for example `PublicIpAddress`. */
  readonly resourceType: string;
  readonly resourceId: string;
}

export const tag: Decode<Tag> = object((fields) => ({
  key: fields.text('key'),
  value: fields.optionalText('value') ?? '',
}));

export const resourceTag: Decode<ResourceTag> = object((fields) => ({
  key: fields.text('key'),
  value: fields.optionalText('value') ?? '',
  resourceType: fields.text('resourcetype'),
  resourceId: fields.text('resourceid'),
}));
