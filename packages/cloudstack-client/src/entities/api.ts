import { object, type Decode } from '../decode.ts';

/** A command that this account's role may call. */
export interface Api {
  readonly name: string;
  readonly parameters: readonly ApiParameter[];
}

export interface ApiParameter {
  readonly name: string;
  /** The version that brought it, as the server words it. */
  readonly since: string | undefined;
}

const parameter: Decode<ApiParameter> = object((fields) => ({
  name: fields.text('name'),
  since: fields.optionalText('since'),
}));

export const api: Decode<Api> = object((fields) => ({
  name: fields.text('name'),
  parameters: fields.list('params', parameter),
}));
