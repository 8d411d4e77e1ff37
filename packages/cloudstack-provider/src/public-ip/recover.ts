import type { PublicIp } from '@cloudstack-ccm/cloudstack-client';
import type { Intent, OpenIntent, Place } from './record.ts';
import { usability } from './usability.ts';

/** What became of an association that was noted before, and whose result was not. */
export type Recovery =
  /** It was carried out: the address is ours. */
  | { readonly kind: 'done'; readonly address: PublicIp }
  /** It was not, and the address is still free. */
  | { readonly kind: 'retry'; readonly address: PublicIp }
  /** It was not, and the address is somebody else's. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'wait'; readonly address: PublicIp; readonly reason: string };

/**
 * The address of an intent was free when the intent was noted. If it is in our network now and bears nothing of
 * anybody, our association was carried out, and only its answer or the note of it was lost.
 * @param bare true if no rule of any kind is on the address
 * @param isOthers true if another Service has noted that the address is its, or marked it
 */
export function recoverIntent(
  address: PublicIp | undefined,
  bare: boolean,
  { networkId: id, vpcId }: Place,
  isOthers: (address: PublicIp) => boolean,
): Recovery {
  if (!address) return { kind: 'lost' };
  const use = usability(address, { id, name: id, vpcId }, { allowSourceNat: true });
  switch (use.kind) {
    case 'free':
      return { kind: 'retry', address };
    case 'changing':
      return isElsewhere(address, { id, vpcId }) || isOthers(address)
        ? { kind: 'lost' }
        : { kind: 'wait', address, reason: use.reason };
    case 'unusable':
      return { kind: 'lost' };
    case 'usable':
      return bare && !isOthers(address) ? { kind: 'done', address } : { kind: 'lost' };
  }
}

/** While an address is taken, CloudStack may not tell yet for which network. */
function isElsewhere(
  address: PublicIp,
  { id, vpcId }: { readonly id: string; readonly vpcId: string | undefined },
): boolean {
  const { associatedNetworkId = id, vpcId: itsVpc = vpcId } = address;
  return vpcId === undefined ? associatedNetworkId !== id : itsVpc !== vpcId;
}

/** Of the addresses that the network has now, those that our open association may have brought, or be bringing. */
export function candidatesOf(
  intent: OpenIntent,
  addresses: readonly PublicIp[],
  isOthers: (address: PublicIp) => boolean,
): readonly PublicIp[] {
  return addresses.filter(
    (address) =>
      ['Allocated', 'Allocating'].includes(address.state) &&
      !intent.known.includes(address.id) &&
      !address.isSourceNat &&
      !address.isStaticNat &&
      !isOthers(address),
  );
}

export function isIntent(claim: { readonly state: string }): claim is Intent {
  return claim.state === 'associating';
}

export function isOpenIntent(claim: { readonly state: string }): claim is OpenIntent {
  return claim.state === 'associating-any';
}
