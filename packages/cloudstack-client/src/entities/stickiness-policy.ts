import { asRecord, object, type Decode } from '../decode.ts';

export interface StickinessPolicy {
  readonly id: string;
  readonly name: string;
  /** `LbCookie`, `AppCookie` or `SourceBased`. */
  readonly methodName: string;
  readonly description: string;
  readonly params: Readonly<Record<string, string>>;
  /** `Revoked` on old releases for a policy that was replaced. */
  readonly state: string | undefined;
}

const params: Decode<Readonly<Record<string, string>>> = (value, path) =>
  Object.fromEntries(Object.entries(asRecord(value, path)).map(([name, text]) => [name, String(text)]));

const stickinessPolicy: Decode<StickinessPolicy> = object((fields) => ({
  id: fields.text('id'),
  name: fields.optionalText('name') ?? '',
  methodName: fields.optionalText('methodname') ?? '',
  description: fields.optionalText('description') ?? '',
  params: fields.optional('params', params) ?? {},
  state: fields.optionalText('state'),
}));

/** CloudStack wraps the policies of a rule into one object, even when there are none. */
export const stickinessPolicies: Decode<readonly StickinessPolicy[]> = object((fields) =>
  fields.list('stickinesspolicy', stickinessPolicy),
);
