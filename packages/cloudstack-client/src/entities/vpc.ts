import { object, type Decode } from '../decode.ts';
import { services, type NetworkService } from './network.ts';
import { owner, type Owner } from './owner.ts';
import { tag, type Tag } from './tag.ts';

export interface Vpc extends Owner {
  readonly id: string;
  readonly name: string;
  /** `Enabled` or `Inactive`. */
  readonly state: string;
  readonly zoneId: string;
  readonly cidr: string;
  readonly services: ReadonlyMap<string, NetworkService>;
  readonly tags: readonly Tag[];
}

export const vpc: Decode<Vpc> = object((fields) => ({
  id: fields.text('id'),
  name: fields.text('name'),
  state: fields.optionalText('state') ?? '',
  zoneId: fields.optionalText('zoneid') ?? '',
  cidr: fields.optionalText('cidr') ?? '',
  services: services(fields),
  tags: fields.list('tags', tag),
  ...owner(fields),
}));
