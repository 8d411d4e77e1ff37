import { object, type Decode } from '../decode.ts';

export interface Zone {
  readonly id: string;
  readonly name: string;
  /** `Basic` or `Advanced`. */
  readonly networkType: string;
}

export const zone: Decode<Zone> = object((fields) => ({
  id: fields.text('id'),
  name: fields.text('name'),
  networkType: fields.optionalText('networktype') ?? '',
}));
