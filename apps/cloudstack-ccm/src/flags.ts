import { boolFlag, int32Flag, stringFlag, type FlagGroup } from '@cloudstack-ccm/base';

/** Flags that only this provider has. */
export const cloudStackFlags = {
  allowUnknownKeys: boolFlag(
    'cloud-config-allow-unknown-keys',
    false,
    'Warn about unknown keys in the cloud-config file instead of refusing it.',
  ),
  servicesPerNetwork: int32Flag(
    'concurrent-services-per-network',
    2,
    'How many Services are worked on in one CloudStack network at a time. More makes each job slower. Networks do not ' +
      'wait for each other, up to --concurrent-service-syncs in all.',
  ),
  allowSourceNat: boolFlag(
    'allow-source-nat-address',
    true,
    'Let a Service use the source NAT address of an isolated network when it asks for it.',
  ),
  accessRules: stringFlag(
    'access-rules',
    'all',
    "What opens the ports of a Service. 'all': firewall rules and network ACL items are managed; 'none': they are " +
      'left to somebody else.',
  ),
};

export const EXTRA_FLAGS: readonly FlagGroup[] = [{ title: 'CloudStack', flags: cloudStackFlags }];
