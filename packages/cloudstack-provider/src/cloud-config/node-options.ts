import type { Draft } from './draft.ts';
import { KEYS, type Key } from './keys.ts';
import { readNetworkPattern, type NetworkPattern } from './network-pattern.ts';

export type AddressFamily = 'ipv4' | 'ipv6';

/** Where public addresses of a node come from. */
export type ExternalSource = 'static-nat' | 'shared' | 'ipv6';

/** Which addresses and labels nodes get. */
export interface NodeOptions {
  /** Only addresses that one of these means are used. Empty: the default network card's. */
  readonly networks: readonly NetworkPattern[];
  readonly excludedNetworks: readonly NetworkPattern[];
  /** `configured` lets the order of `networks` also go before the default network card. */
  readonly networkOrder: 'default-first' | 'configured';
  /** Those that are used, in their order. */
  readonly families: readonly AddressFamily[];
  readonly externalSources: readonly ExternalSource[];
  readonly secondaryAddresses: boolean;
  readonly hostLabel: boolean;
  readonly affinityGroupLabel: boolean;
  /** Tags whose key begins with one of these become labels. */
  readonly tagLabelPrefixes: readonly string[];
}

/** What the Go CCM does, with IPv6 and shared networks added. */
export const DEFAULT_NODE_OPTIONS: NodeOptions = {
  networks: [],
  excludedNetworks: [],
  networkOrder: 'default-first',
  families: ['ipv4', 'ipv6'],
  externalSources: ['static-nat', 'shared'],
  secondaryAddresses: false,
  hostLabel: false,
  affinityGroupLabel: false,
  tagLabelPrefixes: [],
};

/** What is wrong becomes a problem of the draft. */
export function readNodeOptions(draft: Draft): NodeOptions {
  const { values } = draft;
  return {
    networks: patterns(draft, KEYS.nodeNetworks, values.nodeNetworks),
    excludedNetworks: patterns(draft, KEYS.nodeNetworksExclude, values.nodeNetworksExclude),
    networkOrder: values.nodeNetworkOrder ?? DEFAULT_NODE_OPTIONS.networkOrder,
    families: values.nodeAddressFamilies ?? DEFAULT_NODE_OPTIONS.families,
    externalSources: values.nodeExternalAddresses ?? DEFAULT_NODE_OPTIONS.externalSources,
    secondaryAddresses: values.nodeSecondaryAddresses ?? false,
    hostLabel: values.nodeHostLabel ?? false,
    affinityGroupLabel: values.nodeAffinityGroupLabel ?? false,
    tagLabelPrefixes: values.nodeTagLabelPrefixes ?? [],
  };
}

function patterns(draft: Draft, key: Key<unknown>, texts: readonly string[] = []): readonly NetworkPattern[] {
  const read = texts.map(readNetworkPattern);
  if (read.includes(undefined)) draft.problemWith(key, `${key.name} holds something like a CIDR that is none`);
  return read.filter((pattern) => pattern !== undefined);
}
