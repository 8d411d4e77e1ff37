import type { Scope } from '@cloudstack-ccm/base';
import type { LeaseApi } from '../election/lease-lock.ts';
import { StatusError } from '../errors.ts';
import { type Lease, LEASES } from '../objects/lease.ts';

export type LeaseVerb = 'get' | 'create' | 'update';

/** What may go wrong with one request: before the API server acts, or after, so that only the answer is lost. */
export interface LeaseFault {
  readonly when: 'before' | 'after';
  /** Undefined: the request hangs until its scope ends. */
  readonly error?: Error;
}

interface RawLease {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec: Readonly<Record<string, unknown>>;
}

/** One Lease with the API server's optimistic locking, and faults on demand. */
export class LeaseStore {
  /** What was asked, in order. */
  readonly verbs: LeaseVerb[] = [];
  #lease: RawLease | undefined;
  #version = 0;

  /** The record as anybody would read it. */
  get spec(): Lease['spec'] | undefined {
    return this.#lease && LEASES.decode(this.#lease).spec;
  }

  get raw(): RawLease | undefined {
    return this.#lease;
  }

  /** Somebody else writes. */
  put(spec: object, metadata: object = {}): void {
    this.#lease = {
      metadata: { name: 'ccm', namespace: 'kube-system', ...metadata, resourceVersion: String(++this.#version) },
      spec: { ...spec },
    };
  }

  /** One candidate's way to the store. */
  api(fault: (verb: LeaseVerb) => LeaseFault | undefined = () => undefined): LeaseApi {
    const through = async (scope: Scope, verb: LeaseVerb, act: () => Lease): Promise<Lease> => {
      this.verbs.push(verb);
      const broken = fault(verb);
      if (broken?.when === 'before') await fail(scope, broken);
      const lease = act();
      if (broken?.when === 'after') await fail(scope, broken);
      scope.throwIfCancelled();
      return lease;
    };
    return {
      get: (scope) => through(scope, 'get', () => this.#read()),
      create: (scope, _namespace, body) => through(scope, 'create', () => this.#create(body)),
      update: (scope, _name, body) => through(scope, 'update', () => this.#replace(body)),
    };
  }

  #read(): Lease {
    if (!this.#lease) throw new StatusError({ httpStatus: 404, reason: 'NotFound', message: 'not found' });
    return LEASES.decode(structuredClone(this.#lease));
  }

  #create(body: object): Lease {
    if (this.#lease) throw new StatusError({ httpStatus: 409, reason: 'AlreadyExists', message: 'already exists' });
    const { spec } = LEASES.decode(body).raw as { spec: object };
    this.put(spec);
    return this.#read();
  }

  #replace(body: object): Lease {
    const { metadata, raw } = LEASES.decode(body);
    if (metadata.resourceVersion !== String(this.#version)) {
      throw new StatusError({ httpStatus: 409, reason: 'Conflict', message: 'the object has been modified' });
    }
    this.put(raw['spec'] as object, raw['metadata'] as object);
    return this.#read();
  }
}

async function fail(scope: Scope, { error }: LeaseFault): Promise<void> {
  if (error) throw error;
  await scope.sleep(Number.MAX_SAFE_INTEGER);
}
