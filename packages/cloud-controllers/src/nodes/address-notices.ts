import { messageOf, parseIp } from '@cloudstack-ccm/base';
import type { Node } from '@cloudstack-ccm/kubernetes';

import type { InstanceMetadata, Notice } from '../cloud.ts';
import { preferProvidedIps } from './provided-node-ip.ts';
import { PROVIDED_NODE_IP } from './well-known.ts';

/**
 * Says that the kubelet uses an address that the machine does not have: then logs, exec and traffic to the node fail in
 * ways that are hard to explain.
 */
export function addressNotices({ metadata, status }: Node, { addresses }: InstanceMetadata): readonly Notice[] {
  if (addresses.length === 0) return [];
  const offered = addresses.map(({ type, address }) => `${type} ${address}`).join(', ');
  const problem =
    providedProblem(metadata.annotations[PROVIDED_NODE_IP], addresses) ?? unknownInternal(status.addresses, addresses);
  if (problem === undefined) return [];
  const message = `${problem}; addresses in the cloud: ${offered}. Check --node-ip of its kubelet, and the network cards of its virtual machine.`;
  return [{ type: 'Warning', reason: 'MisconfiguredInternalIP', message }];
}

function providedProblem(annotation: string | undefined, offered: InstanceMetadata['addresses']): string | undefined {
  if (annotation === undefined) return undefined;
  try {
    preferProvidedIps(annotation, offered);
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

function unknownInternal(
  current: Node['status']['addresses'],
  offered: InstanceMetadata['addresses'],
): string | undefined {
  const known = new Set(offered.map(({ address }) => parseIp(address)?.text));
  const internal = current.filter(({ type }) => type === 'InternalIP').map(({ address }) => address);
  if (internal.length === 0 || internal.some((address) => known.has(parseIp(address)?.text))) return undefined;
  return `the kubelet reported InternalIP ${internal.join(', ')}, which the virtual machine does not have`;
}
