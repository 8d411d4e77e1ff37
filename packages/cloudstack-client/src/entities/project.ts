import { object, type Decode } from '../decode.ts';

export interface Project {
  readonly id: string;
  readonly name: string;
  /** `Active`, `Disabled` or `Suspended`. */
  readonly state: string;
}

export const project: Decode<Project> = object((fields) => ({
  id: fields.text('id'),
  name: fields.text('name'),
  state: fields.optionalText('state') ?? '',
}));
