import type { Logger, Scope } from '@cloudstack-ccm/base';
import type { PublicIp } from '@cloudstack-ccm/cloudstack-client';
import { AddressNotUsableError } from '../load-balancer/errors.ts';
import type { ServerFeatures } from '../load-balancer/plan/server-features.ts';
import { ownershipOf, type OwnerIdentity } from '../ownership/marks.ts';
import type { AddressReader } from './address-reader.ts';
import { noteResult } from './associate.ts';
import { holdingsOf, type Intent, type OpenIntent } from './record.ts';
import type { RecordBook } from './record-book.ts';
import type { StuckAddresses } from './stuck-addresses.ts';
import { candidatesOf, isIntent, isOpenIntent, recoverIntent } from './recover.ts';

/** What settling intents needs to know. */
export interface Unsettled {
  readonly scope: Scope;
  readonly log: Logger;
  readonly book: RecordBook;
  readonly owner: OwnerIdentity;
  readonly features: ServerFeatures;
}

/**
 * Finds out what became of associations that were noted and whose results were not. An address that was taken is noted
 * as held; an intent without one may stay noted, it is harmless.
 * @returns the address that was intended and is still free, if there is one
 * @throws AddressNotUsableError when the address is changing just now
 */
export async function settleIntents(
  unsettled: Unsettled,
  reader: AddressReader,
  stuck: StuckAddresses,
): Promise<PublicIp | undefined> {
  const claims = unsettled.book.record?.claims ?? [];
  const intent = claims.find(isIntent);
  if (intent) return settleIntent(unsettled, reader, stuck, intent);
  const open = claims.find(isOpenIntent);
  if (open) await settleOpenIntent(unsettled, reader, stuck, open);
  return undefined;
}

async function settleIntent(
  unsettled: Unsettled,
  reader: AddressReader,
  stuck: StuckAddresses,
  intent: Intent,
): Promise<PublicIp | undefined> {
  const address = await reader.byId(unsettled.scope, intent.id);
  const bare = address !== undefined && (await isBare(unsettled, reader, address));
  const recovery = recoverIntent(address, bare, intent, isOthers(unsettled));
  switch (recovery.kind) {
    case 'done':
      await noteResult(unsettled.book, recovery.address);
      return undefined;
    case 'retry':
      return recovery.address;
    case 'wait':
      return waitFor(unsettled, stuck, recovery.address, recovery.reason);
    case 'lost':
      // Or another Service that has noted the same address would take it for ours.
      await dropIntents(unsettled.book);
      return undefined;
  }
}

async function dropIntents(book: RecordBook): Promise<void> {
  const { record } = book;
  if (record) await book.note({ ...record, claims: holdingsOf(record) });
}

async function settleOpenIntent(
  unsettled: Unsettled,
  reader: AddressReader,
  stuck: StuckAddresses,
  intent: OpenIntent,
): Promise<void> {
  const addresses = await reader.ofNetwork(unsettled.scope, intent);
  for (const address of candidatesOf(intent, addresses, isOthers(unsettled))) {
    if (address.state === 'Allocating')
      await waitFor(unsettled, stuck, address, `public IP ${address.ipAddress} is in state Allocating`);
    if (await isBare(unsettled, reader, address)) return void (await noteResult(unsettled.book, address));
  }
}

/** @throws AddressNotUsableError always: the next try finds the address where it has come to */
async function waitFor(unsettled: Unsettled, stuck: StuckAddresses, address: PublicIp, reason: string): Promise<never> {
  // One that is being released is somebody else's: it was free when the intent was noted.
  const givenBack = address.state === 'Allocating' && (await stuck.giveBack(unsettled, address));
  throw new AddressNotUsableError(
    givenBack ? `${reason} and no job works on it: it was given back, and another one is taken next time` : reason,
  );
}

async function isBare({ scope }: Unsettled, reader: AddressReader, address: PublicIp): Promise<boolean> {
  return address.state === 'Allocated' && (await reader.occupants(scope, address)).length === 0;
}

/**
 * True if another Service has taken an address since, or is about to: the association that was noted here had failed
 * then. Up to CloudStack 4.17 an address keeps the tags of its former owner, so they say nothing.
 */
function isOthers({ book, owner, features }: Unsettled): (address: PublicIp) => boolean {
  return (address) =>
    book.isClaimedByAnother(address.id) ||
    (features.addressTagsEndWithRelease && ownershipOf(address.tags, owner) === 'others');
}
