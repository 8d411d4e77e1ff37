import type { Scope } from '@cloudstack-ccm/base';
import type { Commands } from '@cloudstack-ccm/cloudstack-client';
import { ZoneNotFoundError } from './errors.ts';
import type { Inventory } from './inventory.ts';

interface ZoneOptions {
  readonly client: Pick<Commands, 'listZones'>;
  readonly inventory: Pick<Inventory, 'machinesByName'>;
  /** `zone` of cloud-config. */
  readonly configured: () => string | undefined;
  /** Names under which the machine that this process runs on may be known. */
  readonly hostNames: readonly string[];
}

/**
 * The name of the zone that this controller belongs to: the configured one, else the only one there is, else that of
 * the machine it runs on. Node labels do not depend on it: they take the zone of each machine.
 * @throws ZoneNotFoundError, and the client's errors
 */
export async function findZone(scope: Scope, options: ZoneOptions): Promise<string> {
  const configured = options.configured();
  const zones = await options.client.listZones(scope, { name: configured });
  const [zone] = zones;
  if (configured !== undefined) {
    if (!zone) throw new ZoneNotFoundError(`zone ${configured} is not visible to these credentials: check its name`);
    return zone.name;
  }
  return zone && zones.length === 1 ? zone.name : zoneOfHost(scope, options);
}

async function zoneOfHost(scope: Scope, { inventory, hostNames }: ZoneOptions): Promise<string> {
  for (const name of hostNames) {
    const machines = await inventory.machinesByName(scope, name, true);
    const zones = new Set(machines.map((machine) => machine.zoneName));
    const [zone] = zones;
    if (zone !== undefined && zones.size === 1) return zone;
  }
  const names = hostNames.join(' or ') || 'unknown';
  throw new ZoneNotFoundError(
    `could not find CloudStack instance with name ${names} for retrieving the zone: set zone in cloud-config`,
  );
}
