import type { Clock, Scope } from '@cloudstack-ccm/base';
import type { Commands, Network, VirtualMachine } from '@cloudstack-ccm/cloudstack-client';
import { MachineSnapshot } from './machine-snapshot.ts';
import { Networks } from './networks.ts';
import { SharedRead } from './shared-read.ts';

/** What is read of a machine, and no more: with all details the list takes minutes on large installations. */
const DETAILS = ['min', 'nics', 'servoff'] as const;

const DEFAULT_MACHINE_AGE_MS = 30_000;
const DEFAULT_NETWORK_AGE_MS = 30_000;

type Reads = Pick<Commands, 'listVirtualMachines' | 'listNetworks'>;

/**
 * What the cloud has, read once for all who want it. Everything that looks at machines or networks goes through here,
 * so the number of calls does not grow with the number of nodes or Services.
 */
export class Inventory {
  readonly #client: Reads;
  readonly #machines: SharedRead<MachineSnapshot>;
  readonly #networks: Networks;

  constructor(client: Reads, clock: Clock) {
    this.#client = client;
    this.#networks = new Networks(client, clock);
    this.#machines = new SharedRead(
      clock,
      async (scope) =>
        new MachineSnapshot(await client.listVirtualMachines(scope, { details: DETAILS, listAll: true })),
    );
  }

  /**
   * All machines, in one paged list that is shared by all callers.
   * @param maxAgeMs how old it may be; 0 reads anew.
   * @throws IncompleteListError when the list cannot be read completely, and the client's other errors
   */
  machines(scope: Scope, maxAgeMs = DEFAULT_MACHINE_AGE_MS): Promise<MachineSnapshot> {
    return this.#machines.get(scope, maxAgeMs);
  }

  /** How old the shared list is, in milliseconds; undefined when there is none. */
  machinesAgeMs(): number | undefined {
    return this.#machines.ageMs();
  }

  /** The shared list is known to be wrong: the next caller reads anew. */
  invalidateMachines(): void {
    this.#machines.invalidate();
  }

  /** Asks the cloud for one machine, now. Undefined proves nothing about whether it exists. */
  async machineById(scope: Scope, id: string): Promise<VirtualMachine | undefined> {
    const machines = await this.#client.listVirtualMachines(scope, { id, details: DETAILS });
    return machines[0];
  }

  /**
   * Asks the cloud for several machines by id, now. CloudStack leaves out those that it does not show.
   * @param ids as many as fit into a URL
   * @throws NotFoundError if the installation has never had one of them
   */
  machinesByIds(scope: Scope, ids: readonly string[]): Promise<readonly VirtualMachine[]> {
    return this.#client.listVirtualMachines(scope, { ids, details: DETAILS });
  }

  /**
   * Asks the cloud for the machines of a host name, now.
   * @param listAll false keeps an administrator's search to the account that owns the keys.
   */
  machinesByName(scope: Scope, name: string, listAll: boolean): Promise<readonly VirtualMachine[]> {
    return this.#client.listVirtualMachines(scope, { name, details: DETAILS, listAll });
  }

  /** A network, shared by all callers. Undefined when these credentials do not see it. */
  network(scope: Scope, id: string, maxAgeMs = DEFAULT_NETWORK_AGE_MS): Promise<Network | undefined> {
    return this.#networks.get(scope, id, maxAgeMs);
  }

  invalidateNetwork(id: string): void {
    this.#networks.invalidate(id);
  }

  /** Forgets everything: it was seen with other credentials, or in another cloud. */
  forget(): void {
    this.#machines.invalidate();
    this.#networks.forget();
  }
}
