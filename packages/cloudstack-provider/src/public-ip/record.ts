import type { NotedOpenings } from '../access/firewall.ts';
import { ANNOTATIONS, nameOf } from '../load-balancer/annotations/annotations.ts';

/**
 * What is noted on a Service about its public addresses. CloudStack cannot tell who took an address, and an address
 * keeps its id for ever, so the notes are written before CloudStack is told: a crash at any point leaves either a note
 * without an address, which is harmless, or an address with a note, which can be found.
 */
export interface AddressRecord {
  /** Grows with each writing. */
  readonly revision: number;
  readonly claims: readonly Claim[];
  /** False once CloudStack has refused us the right to set tags. */
  readonly marks: boolean;
  /** Ids of firewall rules that are ours, as far as they could not be marked. */
  readonly openings: readonly string[];
  /**
   * Firewall rules that were made or are about to be: port and sources. One that a crash left unmarked is known by that,
   * whatever the Service asks for by now, and whether or not its port has a rule just then.
   */
  readonly openedFor: readonly string[];
  /** Ids of firewall rules that look like ours and are not: they were there before the load balancer. */
  readonly foreignOpenings: readonly string[];
  /** True while rules may carry stickiness policies of ours. */
  readonly stickiness: boolean;
  /** True until the first sync of a load balancer that another controller made has gone well. */
  readonly adopting: boolean;
  /**
   * Source ranges that the controller before us did not apply to rules that this CloudStack cannot change in place.
   * Until the user changes them, the rules stay as they are rather than being interrupted.
   */
  readonly inheritedRanges: string | undefined;
}

export type Claim = Intent | OpenIntent | Holding;

/** We are about to take this very address, which was free when this was noted. */
export interface Intent extends Place {
  readonly state: 'associating';
  readonly id: string;
  readonly address: string;
}

/** We are about to take any address. Those that the network had before are not the one. */
export interface OpenIntent extends Place {
  readonly state: 'associating-any';
  readonly known: readonly string[];
}

/** Where an address is associated. */
export interface Place {
  readonly networkId: string;
  readonly vpcId: string | undefined;
}

/** The load balancer uses this address. Of several, the last one is meant to stay. */
export interface Holding {
  readonly state: 'held';
  readonly id: string;
  readonly address: string;
  /** `controller`: we took it, so it is ours to release. `user`: it was there before, or belongs to others too. */
  readonly origin: 'controller' | 'user';
  /** When CloudStack allocated it, in milliseconds since the epoch. Another time means: released, and taken anew. */
  readonly allocated: number | undefined;
}

export const EMPTY_RECORD: AddressRecord = {
  revision: 0,
  claims: [],
  marks: true,
  openings: [],
  openedFor: [],
  foreignOpenings: [],
  stickiness: false,
  adopting: false,
  inheritedRanges: undefined,
};

/** The record with an address as the one to use; what was intended is settled by that. */
export function withHolding(record: AddressRecord, holding: Holding): AddressRecord {
  return { ...record, claims: [...holdingsOf(record).filter((claim) => claim.id !== holding.id), holding] };
}

export function withoutHolding(record: AddressRecord, holding: Holding): AddressRecord {
  return { ...record, claims: record.claims.filter((claim) => claim.state !== 'held' || claim.id !== holding.id) };
}

/** The record with an association that is about to be sent. */
export function withIntent(record: AddressRecord, intent: Intent | OpenIntent): AddressRecord {
  return { ...record, claims: [...holdingsOf(record), intent] };
}

export function holdingsOf(record: AddressRecord | undefined): readonly Holding[] {
  return record?.claims.filter((claim) => claim.state === 'held') ?? [];
}

/** What the record tells of firewall rules that bear no mark. */
export function notedOpenings(record: AddressRecord): NotedOpenings {
  const taken = holdingsOf(record).filter(({ origin }) => origin === 'controller');
  return {
    ours: new Set(record.openings),
    made: new Set(record.openedFor),
    foreign: new Set(record.foreignOpenings),
    takenAddresses: new Set(taken.map(({ id }) => id)),
  };
}

const RECORD = nameOf(ANNOTATIONS.addressRecord);
const TAKEN = nameOf(ANNOTATIONS.ipAssociatedByController);

/** @returns undefined when there is none, or nobody can read it any more */
export function readRecord(annotations: Readonly<Record<string, string>>): AddressRecord | undefined {
  const text = annotations[RECORD];
  if (text === undefined) return undefined;
  try {
    return decodeRecord(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The annotations that note a record. The Go CCM understands the second one, should it come back. */
export function writeRecord(record: AddressRecord): Readonly<Record<string, string | null>> {
  const current = record.claims.findLast((claim) => claim.state === 'held');
  return {
    [RECORD]: JSON.stringify(encodeRecord(record)),
    [TAKEN]: current?.origin === 'controller' ? 'true' : null,
  };
}

/**
 * What takes every trace of the controller off a Service.
 * @param recorded true if a record was written that the annotations may not show yet
 */
export function eraseRecord(
  annotations: Readonly<Record<string, string>>,
  recorded: boolean,
): Readonly<Record<string, null>> {
  const managed = Object.values(ANNOTATIONS).filter((annotation) => annotation.writtenBy === 'controller');
  const present = managed
    .map(nameOf)
    .filter((name) => name in annotations || (recorded && [RECORD, TAKEN].includes(name)));
  return Object.fromEntries(present.map((name) => [name, null]));
}

/** True for a Service that bears anything the controller wrote. */
export function isRecorded(annotations: Readonly<Record<string, string>>): boolean {
  return RECORD in annotations || TAKEN in annotations;
}

/** Short keys, and nothing that has its default: the record is seen whenever somebody looks at the Service. */
function encodeRecord(record: AddressRecord): unknown {
  const { revision, claims, marks, openings, openedFor, foreignOpenings, stickiness, adopting, inheritedRanges } =
    record;
  return {
    revision,
    claims: claims.map(encodeClaim),
    ...(!marks && { marks }),
    ...(openings.length > 0 && { openings }),
    ...(openedFor.length > 0 && { openedFor }),
    ...(foreignOpenings.length > 0 && { foreignOpenings }),
    ...(stickiness && { stickiness }),
    ...(adopting && { adopting }),
    inheritedRanges,
  };
}

/** Always in one order, so that equal claims are equal texts. */
function encodeClaim(claim: Claim): unknown {
  const { state } = claim;
  switch (claim.state) {
    case 'associating':
      return { state, id: claim.id, address: claim.address, networkId: claim.networkId, vpcId: claim.vpcId };
    case 'associating-any':
      return { state, networkId: claim.networkId, vpcId: claim.vpcId, known: claim.known };
    case 'held': {
      const allocated = claim.allocated === undefined ? undefined : new Date(claim.allocated).toISOString();
      return { state, id: claim.id, address: claim.address, origin: claim.origin, allocated };
    }
  }
}

function decodeRecord(value: unknown): AddressRecord | undefined {
  const fields = fieldsOf(value);
  const { revision, claims, marks, stickiness, adopting, inheritedRanges } = fields;
  if (!Array.isArray(claims)) return undefined;
  return {
    revision: typeof revision === 'number' ? revision : 0,
    claims: claims.flatMap(decodeClaim),
    marks: marks !== false,
    openings: textsOf(fields['openings']),
    openedFor: textsOf(fields['openedFor']),
    foreignOpenings: textsOf(fields['foreignOpenings']),
    stickiness: stickiness === true,
    adopting: adopting === true,
    inheritedRanges: typeof inheritedRanges === 'string' ? inheritedRanges : undefined,
  };
}

function decodeClaim(value: unknown): readonly Claim[] {
  const { state, id, address, origin, allocated, known, networkId, vpcId } = fieldsOf(value);
  const place = { networkId: String(networkId), vpcId: typeof vpcId === 'string' ? vpcId : undefined };
  if (state === 'associating-any') return [{ state, ...place, known: textsOf(known) }];
  if (typeof id !== 'string' || typeof address !== 'string') return [];
  if (state === 'associating') return [{ state, id, address, ...place }];
  if (state !== 'held') return [];
  const time = typeof allocated === 'string' ? parseTime(allocated) : undefined;
  return [{ state, id, address, origin: origin === 'controller' ? 'controller' : 'user', allocated: time }];
}

/** CloudStack writes `2026-11-30T22:20:31+0000`; the zone is the server's, and may change. */
export function parseTime(text: string | undefined): number | undefined {
  const time = Date.parse(text?.replace(/([+-]\d\d)(\d\d)$/, '$1:$2') ?? '');
  return Number.isNaN(time) ? undefined : time;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
