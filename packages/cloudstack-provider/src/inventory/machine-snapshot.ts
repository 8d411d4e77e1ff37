import type { VirtualMachine } from '@cloudstack-ccm/cloudstack-client';

/** All virtual machines that these credentials and this project see, at one time. */
export class MachineSnapshot {
  readonly #byId = new Map<string, VirtualMachine>();
  readonly #byName = new Map<string, VirtualMachine[]>();
  /** Only those that differ from the host name. */
  readonly #byDisplayName = new Map<string, VirtualMachine[]>();

  constructor(machines: readonly VirtualMachine[]) {
    for (const machine of machines) {
      this.#byId.set(machine.id.toLowerCase(), machine);
      const name = machine.name.toLowerCase();
      add(this.#byName, name, machine);
      const displayName = machine.displayName.toLowerCase();
      if (displayName !== '' && displayName !== name) add(this.#byDisplayName, displayName, machine);
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

  /** @param name the display name of machines whose host name is another, in any case */
  byDisplayName(name: string): readonly VirtualMachine[] {
    return this.#byDisplayName.get(name.toLowerCase()) ?? [];
  }
}

function add(index: Map<string, VirtualMachine[]>, name: string, machine: VirtualMachine): void {
  const namesakes = index.get(name);
  if (namesakes) namesakes.push(machine);
  else index.set(name, [machine]);
}
