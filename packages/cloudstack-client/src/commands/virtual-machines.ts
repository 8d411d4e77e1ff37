import type { Tag } from '../entities/tag.ts';
import { virtualMachine, type VirtualMachine } from '../entities/virtual-machine.ts';
import { byId, listCommand } from './command.ts';

export type VirtualMachineDetail =
  'min' | 'nics' | 'servoff' | 'affgrp' | 'group' | 'secgrp' | 'tmpl' | 'iso' | 'volume' | 'diskoff' | 'stats' | 'all';

export type VirtualMachineFilter = {
  /**
   * An empty answer proves nothing: expunged, destroyed, another account's, a project's machine asked without project
   * and an account's asked with one look alike.
   */
  readonly id?: string | undefined;
  /** One id that never existed makes the whole call a NotFoundError. Not together with `id`. */
  readonly ids?: readonly string[] | undefined;
  /** The host name, exact, in any case. */
  readonly name?: string | undefined;
  /** Part of the name or the display name. `%` and `_` are wildcards. */
  readonly keyword?: string | undefined;
  readonly networkId?: string | undefined;
  readonly zoneId?: string | undefined;
  readonly vpcId?: string | undefined;
  readonly state?: string | undefined;
  /** For administrators: all accounts of the domain. Ordinary users see their own account anyway. */
  readonly listAll?: boolean | undefined;
  /** Always limit them: `all`, the server's default, may take minutes. `min` alone lies about network cards. */
  readonly details: readonly VirtualMachineDetail[];
  readonly tags?: readonly Tag[] | undefined;
};

export const listVirtualMachines = listCommand<VirtualMachineFilter, VirtualMachine>({
  command: 'listVirtualMachines',
  items: 'virtualmachine',
  decode: virtualMachine,
  takesProject: true,
  exactCount: true,
  identify: byId,
});
