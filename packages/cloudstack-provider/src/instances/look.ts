import { asError, CombinedError, type Scope } from '@cloudstack-ccm/base';
import type { NodeView, Sighting, Sightings } from '@cloudstack-ccm/cloud-controllers';
import { IncompleteListError, type VirtualMachine } from '@cloudstack-ccm/cloudstack-client';
import type { Inventory } from '../inventory/inventory.ts';
import type { MachineSnapshot } from '../inventory/machine-snapshot.ts';
import { AskByIds } from './ask-by-ids.ts';
import { isGone, match } from './match.ts';
import { readProviderId } from './provider-id.ts';

/** So many suspects are asked for one by one; more are looked up in a list first. */
const FEW = 5;

/** So many of the other nodes are asked for one by one before the list is read for a witness. */
const WITNESSES_ASKED = 3;

export interface LookOptions {
  readonly inventory: Pick<Inventory, 'machines' | 'machineById' | 'machinesByIds' | 'machinesByName'>;
  /** Changes whenever other credentials or another project come into use. */
  readonly generation: () => number;
}

interface Suspect {
  readonly node: NodeView;
  readonly id: string;
}

/**
 * One pass of looking at the machines of nodes that are not ready.
 *
 * CloudStack answers 200 and `{}` alike for a machine that was expunged, destroyed, or lies in another account or
 * project. So `absent` is said only of a machine that was asked for by its id, in an answer that was complete and
 * authorised; every doubt is `unknown`; and a witness tells whether these credentials see this cluster at all.
 */
export class LookPass {
  readonly #options: LookOptions;
  readonly #scope: Scope;
  readonly #sightings = new Map<string, Sighting>();
  readonly #errors: Error[] = [];
  readonly #generation: number;
  #witness: string | undefined;
  #list: Promise<MachineSnapshot> | undefined;

  constructor(scope: Scope, options: LookOptions) {
    this.#scope = scope;
    this.#options = options;
    this.#generation = options.generation();
  }

  /** @throws the client's errors when nothing could be learnt about any of the suspects */
  async run(suspects: readonly NodeView[], others: readonly NodeView[]): Promise<Sightings> {
    const machines = suspects.flatMap((node) => this.#classify(node));
    for (const node of suspects) if (readProviderId(node.providerId).kind === 'none') await this.#lookByName(node);
    if (machines.length <= FEW) await this.#askSingly(machines);
    else await this.#lookInList(machines);
    if (this.#any('absent') && this.#witness === undefined) await this.#findWitness(others);
    this.#distrustMixedPass();
    this.#throwIfNothingLearnt();
    return { byNode: this.#sightings, witness: this.#witness };
  }

  /** All machines, read once in this pass and for it alone. */
  #machines(): Promise<MachineSnapshot> {
    this.#list ??= this.#options.inventory.machines(this.#scope, 0);
    return this.#list;
  }

  /** The suspects whose machine can be asked for by id. Of the rest it is said at once what they are. */
  #classify(node: NodeView): readonly Suspect[] {
    const providerId = readProviderId(node.providerId);
    switch (providerId.kind) {
      case 'machine':
        return [{ node, id: providerId.id }];
      case 'foreign':
        this.#sightings.set(node.name, { state: 'foreign' });
        return [];
      case 'malformed':
        this.#unknown(node, `provider ID ${node.providerId} of node ${node.name} holds no machine id`);
        return [];
      case 'none':
        return [];
    }
  }

  /** A node without provider ID: its machine may be seen, but that none has its name proves nothing. */
  async #lookByName(node: NodeView): Promise<void> {
    try {
      const machines = await this.#machines();
      const found = match(node, machines);
      if (found.kind === 'found') this.#sightings.set(node.name, stateOf(found.vm));
      else this.#unknown(node, found.reason);
    } catch (error) {
      this.#failed(node, error);
    }
  }

  async #askSingly(suspects: readonly Suspect[]): Promise<void> {
    await Promise.all(
      suspects.map(async ({ node, id }) => {
        try {
          const machine = await this.#options.inventory.machineById(this.#scope, id);
          this.#note(node, machine ?? 'absent');
        } catch (error) {
          this.#failed(node, error);
        }
      }),
    );
  }

  async #lookInList(suspects: readonly Suspect[]): Promise<void> {
    const missing: Suspect[] = [];
    try {
      const machines = await this.#machines();
      for (const suspect of suspects) {
        const machine = machines.byId(suspect.id);
        if (machine) this.#note(suspect.node, machine);
        else missing.push(suspect);
      }
    } catch (error) {
      // Too much comes and goes for a list of several pages; asked for by id, the suspects are a list of their own.
      if (error instanceof IncompleteListError) return this.#askTogether(suspects);
      for (const { node } of suspects) this.#failed(node, error);
      return;
    }
    await this.#askTogether(missing);
  }

  /** A list of several pages may miss a machine, so those missing are asked for by id. */
  async #askTogether(suspects: readonly Suspect[]): Promise<void> {
    const answers = await new AskByIds(this.#scope, this.#options.inventory).ask(suspects.map(({ id }) => id));
    for (const { node, id } of suspects) {
      const answer = answers.get(id) ?? new Error('it was not asked for');
      if (answer instanceof Error) this.#failed(node, answer);
      else this.#note(node, answer);
    }
  }

  #note(node: NodeView, answer: VirtualMachine | 'absent'): void {
    this.#sightings.set(node.name, answer === 'absent' ? { state: 'absent' } : stateOf(answer));
    if (answer !== 'absent') this.#witness ??= node.name;
  }

  async #findWitness(others: readonly NodeView[]): Promise<void> {
    const known = others.flatMap((node) => {
      const providerId = readProviderId(node.providerId);
      return providerId.kind === 'machine' ? [{ node, id: providerId.id }] : [];
    });
    try {
      for (const { node, id } of known.slice(0, WITNESSES_ASKED)) {
        if (await this.#options.inventory.machineById(this.#scope, id)) return void (this.#witness = node.name);
      }
      if (known.length <= WITNESSES_ASKED) return;
      const machines = await this.#machines();
      this.#witness = known.find(({ id }) => machines.byId(id))?.node.name;
    } catch {
      // Without a witness nothing is deleted, and the next pass looks for one again.
      this.#scope.throwIfCancelled();
    }
  }

  /** What other credentials saw is no evidence together with what these did. */
  #distrustMixedPass(): void {
    if (this.#options.generation() === this.#generation) return;
    this.#witness = undefined;
    for (const [name, { state }] of this.#sightings) {
      if (state !== 'absent') continue;
      this.#sightings.set(name, { state: 'unknown', reason: 'the credentials were replaced during the pass' });
    }
  }

  #failed(node: NodeView, thrown: unknown): void {
    this.#scope.throwIfCancelled();
    const error = asError(thrown);
    this.#errors.push(error);
    this.#unknown(node, error.message);
  }

  #unknown(node: NodeView, reason: string): void {
    this.#sightings.set(node.name, { state: 'unknown', reason });
  }

  #any(state: Sighting['state']): boolean {
    return [...this.#sightings.values()].some((sighting) => sighting.state === state);
  }

  #throwIfNothingLearnt(): void {
    const learnt = [...this.#sightings.values()].some(({ state }) => state !== 'unknown');
    const error = CombinedError.of(this.#errors);
    if (error && !learnt) throw error;
  }
}

function stateOf(machine: VirtualMachine): Sighting {
  if (isGone(machine)) return { state: 'gone' };
  return { state: machine.state === 'Stopped' ? 'stopped' : 'running' };
}
