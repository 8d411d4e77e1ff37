import { eraseRecord, readRecord, writeRecord, type AddressRecord } from './record.ts';

/** Sets or removes annotations of the Service, and resolves when the API server has stored them. */
type Annotate = (changes: Readonly<Record<string, string | null>>) => Promise<void>;

/**
 * The record of one Service, during one sync. What was written last is remembered: the Service that the next sync sees
 * may be older than that.
 */
export class RecordBook {
  readonly #memory: RecordMemory;
  readonly #uid: string;
  readonly #annotate: Annotate;
  #annotations: Readonly<Record<string, string>>;
  #record: AddressRecord | undefined;
  /** As the API server has it. */
  #written: AddressRecord | undefined;

  constructor(
    memory: RecordMemory,
    service: { readonly uid: string; readonly annotations: Readonly<Record<string, string>> },
    annotate: Annotate,
  ) {
    this.#memory = memory;
    this.#uid = service.uid;
    this.#annotate = annotate;
    this.#annotations = service.annotations;
    this.#record = memory.newest(service.uid, readRecord(service.annotations));
    this.#written = this.#record;
  }

  /** Undefined when this project has never dealt with the Service. */
  get record(): AddressRecord | undefined {
    return this.#record;
  }

  /** True if another Service has noted that it uses an address, or is about to take it. */
  isClaimedByAnother(addressId: string): boolean {
    return this.claimedByOthers().has(addressId);
  }

  /** Ids of the addresses that other Services use, or are about to take. */
  claimedByOthers(): ReadonlySet<string> {
    return this.#memory.claims(this.#uid);
  }

  /** Has the record written down together with what is noted next. */
  stage(record: AddressRecord): void {
    this.#record = record;
  }

  /** Writes the record down, unless it says just that already. @throws what the API server says against it */
  async note(record: AddressRecord): Promise<void> {
    const before = this.#written;
    if (before && same(before, record) && !this.#differs(writeRecord(before))) return;
    const next = { ...record, revision: (before?.revision ?? 0) + 1 };
    const changes = writeRecord(next);
    await this.#annotate(changes);
    this.#apply(changes);
    this.#record = next;
    this.#written = next;
    this.#memory.remember(this.#uid, next);
  }

  /** Takes every trace of the controller off the Service. */
  async erase(): Promise<void> {
    const changes = eraseRecord(this.#annotations, this.#record !== undefined);
    if (Object.keys(changes).length > 0) await this.#annotate(changes);
    this.#apply(changes);
    this.#record = undefined;
    this.#written = undefined;
    this.#memory.forget(this.#uid);
  }

  #differs(changes: Readonly<Record<string, string | null>>): boolean {
    return Object.entries(changes).some(([name, value]) => (this.#annotations[name] ?? null) !== value);
  }

  #apply(changes: Readonly<Record<string, string | null>>): void {
    const merged = Object.entries({ ...this.#annotations, ...changes });
    this.#annotations = Object.fromEntries(merged.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
  }
}

/** The records that this process has written, by Service UID. */
export class RecordMemory {
  readonly #records = new Map<string, AddressRecord>();

  /** The newer of what is remembered and what was read. */
  newest(uid: string, read: AddressRecord | undefined): AddressRecord | undefined {
    const remembered = this.#records.get(uid);
    if (!remembered || (read && read.revision >= remembered.revision)) return read;
    return remembered;
  }

  /** Ids of the addresses that Services other than the given one claim. */
  claims(exceptUid: string): ReadonlySet<string> {
    const ids = new Set<string>();
    for (const [uid, { claims }] of this.#records) {
      if (uid === exceptUid) continue;
      for (const claim of claims) if ('id' in claim) ids.add(claim.id);
    }
    return ids;
  }

  remember(uid: string, record: AddressRecord): void {
    this.#records.set(uid, record);
  }

  forget(uid: string): void {
    this.#records.delete(uid);
  }

  get size(): number {
    return this.#records.size;
  }
}

function same(left: AddressRecord, right: AddressRecord): boolean {
  return JSON.stringify(writeRecord(left)) === JSON.stringify(writeRecord({ ...right, revision: left.revision }));
}
