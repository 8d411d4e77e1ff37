import { createMetrics, type Clock, type Metrics, type Scope } from '@cloudstack-ccm/base';
import type { Commands, Network, VirtualMachine, VirtualMachineDetail } from '@cloudstack-ccm/cloudstack-client';
import { inventoryMetrics } from './inventory-metrics.ts';
import { MachineSnapshot } from './machine-snapshot.ts';
import { Networks } from './networks.ts';
import { SharedRead } from './shared-read.ts';

/** What is read of a machine, and no more: with all details the list takes minutes on large installations. */
const DETAILS: readonly VirtualMachineDetail[] = ['min', 'nics', 'servoff'];

export interface InventoryOptions {
  /** Default: a registry that nobody reads. */
  readonly metrics?: Metrics;
  /** True reads the affinity groups of machines, too. Default false. */
  readonly affinityGroups?: () => boolean;
}

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
  readonly #affinityGroups: () => boolean;
  #size = 0;
  /** The shared list, once it is read and as long as it is kept. */
  #latest: MachineSnapshot | undefined;

  constructor(client: Reads, clock: Clock, options: InventoryOptions = {}) {
    const metrics = inventoryMetrics(options.metrics ?? createMetrics());
    this.#client = client;
    this.#affinityGroups = options.affinityGroups ?? (() => false);
    this.#networks = new Networks(client, clock, metrics.observer('networks'));
    this.#machines = new SharedRead(clock, (scope) => this.#readMachines(scope), metrics.observer('machines'));
    metrics.trackAge('machines', () => (this.#machines.ageMs() ?? NaN) / 1000);
    metrics.trackSize('machines', () => this.#size);
    metrics.trackSize('networks', () => this.#networks.size);
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
    this.#latest = undefined;
  }

  /**
   * Asks the cloud for one machine, now. Undefined proves nothing about whether it exists, but a shared list that still
   * has it is too old: by its name, a node that joins would be taken for that machine.
   */
  async machineById(scope: Scope, id: string): Promise<VirtualMachine | undefined> {
    const [machine] = await this.#client.listVirtualMachines(scope, { id, details: this.#details() });
    if (!machine && this.#latest?.byId(id)) this.invalidateMachines();
    return machine;
  }

  /**
   * Asks the cloud for several machines by id, now. CloudStack leaves out those that it does not show.
   * @param ids as many as fit into a URL
   * @throws NotFoundError if the installation has never had one of them
   */
  machinesByIds(scope: Scope, ids: readonly string[]): Promise<readonly VirtualMachine[]> {
    return this.#client.listVirtualMachines(scope, { ids, details: this.#details() });
  }

  /**
   * Asks the cloud for the machines of a host name, now.
   * @param listAll false keeps an administrator's search to the account that owns the keys.
   */
  machinesByName(scope: Scope, name: string, listAll: boolean): Promise<readonly VirtualMachine[]> {
    return this.#client.listVirtualMachines(scope, { name, details: this.#details(), listAll });
  }

  /** A network, shared by all callers. Undefined when these credentials do not see it. */
  network(scope: Scope, id: string, maxAgeMs = DEFAULT_NETWORK_AGE_MS): Promise<Network | undefined> {
    return this.#networks.get(scope, id, maxAgeMs);
  }

  invalidateNetwork(id: string): void {
    this.#networks.invalidate(id);
  }

  async #readMachines(scope: Scope): Promise<MachineSnapshot> {
    const machines = await this.#client.listVirtualMachines(scope, { details: this.#details(), listAll: true });
    const snapshot = new MachineSnapshot(machines);
    this.#size = snapshot.size;
    this.#latest = snapshot;
    return snapshot;
  }

  #details(): readonly VirtualMachineDetail[] {
    return this.#affinityGroups() ? [...DETAILS, 'affgrp'] : DETAILS;
  }

  /** Forgets everything: it was seen with other credentials, or in another cloud. */
  forget(): void {
    this.invalidateMachines();
    this.#networks.forget();
  }
}
