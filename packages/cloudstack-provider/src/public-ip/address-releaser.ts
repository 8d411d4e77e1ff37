import type { KeyedLock, Logger, Scope } from '@cloudstack-ccm/base';
import type { Notice } from '@cloudstack-ccm/cloud-controllers';
import type { PublicIp } from '@cloudstack-ccm/cloudstack-client';
import { AddressNotUsableError } from '../load-balancer/errors.ts';
import { notice } from '../load-balancer/report/events.ts';
import type { Executor } from '../load-balancer/execute/execute.ts';
import type { Step } from '../load-balancer/plan/step.ts';
import type { ServerFeatures } from '../load-balancer/plan/server-features.ts';
import type { OwnerIdentity } from '../ownership/marks.ts';
import type { AddressReader } from './address-reader.ts';
import { unmarkAddress } from './mark-address.ts';
import type { Holding } from './record.ts';
import { decideRelease } from './release.ts';
import type { StuckAddresses } from './stuck-addresses.ts';

/** What letting an address go needs to know. */
export interface Leaving {
  readonly scope: Scope;
  readonly log: Logger;
  readonly owner: OwnerIdentity;
  readonly features: ServerFeatures;
  readonly keepIp: boolean;
  readonly notify: (notice: Notice) => void;
}

/** Lets go of addresses that a load balancer does not use any more. */
export class AddressReleaser {
  readonly #reader: AddressReader;
  readonly #executor: Executor;
  readonly #addressLocks: KeyedLock;
  readonly #stuck: StuckAddresses;

  constructor(reader: AddressReader, executor: Executor, addressLocks: KeyedLock, stuck: StuckAddresses) {
    this.#reader = reader;
    this.#executor = executor;
    this.#addressLocks = addressLocks;
    this.#stuck = stuck;
  }

  /** Releases the address if it is ours and nobody uses it. Done twice, it does no harm. */
  letGo(leaving: Leaving, holding: Holding): Promise<void> {
    return this.#addressLocks.run(leaving.scope, holding.address, () => this.#letGo(leaving, holding));
  }

  async #letGo(leaving: Leaving, holding: Holding): Promise<void> {
    const address = await this.#reader.byId(leaving.scope, holding.id);
    const inUse = address?.state === 'Allocated';
    const occupants = inUse ? await this.#reader.occupants(leaving.scope, address) : [];
    const decision = decideRelease(holding, address, occupants, leaving);
    switch (decision.kind) {
      case 'leave':
        if (decision.tell !== undefined) leaving.notify(notice('AddressKept', decision.tell));
        // Nobody else shall release an address that the user wants to keep.
        if (address && leaving.keepIp && holding.origin === 'controller')
          await this.#run(leaving, unmarkAddress(address));
        return;
      case 'wait':
        if (address && (await this.#stuck.giveBack(leaving, address))) {
          leaving.notify(notice('AddressReleased', `public IP ${address.ipAddress} was released: ${hung(address)}`));
          return;
        }
        throw new AddressNotUsableError(decision.reason);
      case 'release':
        if (address) await this.#release(leaving, address);
    }
  }

  async #release(leaving: Leaving, address: PublicIp): Promise<void> {
    const marks = leaving.features.addressTagsEndWithRelease ? [] : unmarkAddress(address);
    const { id, ipAddress } = address;
    const release = { chain: 'address', action: { kind: 'release-address', id, address: ipAddress } } as const;
    await this.#run(leaving, marks);
    await this.#run(leaving, [release]);
    leaving.notify(notice('AddressReleased', `public IP ${ipAddress} was released`));
  }

  async #run({ scope, log }: Leaving, steps: readonly Step[]): Promise<void> {
    const { errors } = await this.#executor.execute(scope, log, steps);
    if (errors[0]) throw errors[0];
  }
}

function hung({ state }: PublicIp): string {
  return `it hung in state ${state}, and no job worked on it`;
}
