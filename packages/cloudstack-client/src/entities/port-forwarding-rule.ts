import { object, type Decode } from '../decode.ts';

/** A port of a public address that leads to one machine. Here only as far as it stands in the way of other things. */
export interface PortForwardingRule {
  readonly id: string;
  /** `tcp` or `udp`, in lower case. */
  readonly protocol: string;
  readonly publicPort: number;
  readonly publicEndPort: number;
  readonly ipAddressId: string;
  readonly virtualMachineName: string;
}

export const portForwardingRule: Decode<PortForwardingRule> = object((fields) => ({
  id: fields.text('id'),
  protocol: (fields.optionalText('protocol') ?? '').toLowerCase(),
  publicPort: fields.integer('publicport'),
  publicEndPort: fields.optionalInteger('publicendport') ?? fields.integer('publicport'),
  ipAddressId: fields.optionalText('ipaddressid') ?? '',
  virtualMachineName: fields.optionalText('virtualmachinename') ?? '',
}));
