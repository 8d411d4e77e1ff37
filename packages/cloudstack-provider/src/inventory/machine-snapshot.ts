import type { VirtualMachine } from '@cloudstack-ccm/cloudstack-client';

/** All virtual machines that these credentials and this project see, at one time. */
export class MachineSnapshot {
  readonly #byId = new Map<string, VirtualMachine>();
  readonly #byName = new Map<string, VirtualMachine[]>();

  constructor(machines: readonly VirtualMachine[]) {
    for (const machine of machines) {
      this.#byId.set(machine.id.toLowerCase(), machine);
      const name = machine.name.toLowerCase();
      const namesakes = this.#byName.get(name);
      if (namesakes) namesakes.push(machine);
      else this.#byName.set(name, [machine]);
    }
  }

  get size(): number {
    return this.#byId.size;
  }

  /** @param id in any case */
  byId(id: string): VirtualMachine | undefined {
    return this.#byId.get(id.toLowerCase());
  }

  /** @param name the host name, in any case */
  byName(name: string): readonly VirtualMachine[] {
    return this.#byName.get(name.toLowerCase()) ?? [];
  }
}
