import type { Bindings } from './bindings.ts';
import { IPV4, sameText, UUID } from './text.ts';

/**
 * There or not, by chance: statistics only once they were collected; the boot mode only for machines that were started
 * before the management server of the recordings was restarted for the first time, and what the scheduler notes in the
 * details (for root to see) only for those started after it.
 */
const SOMETIMES =
  /^(cpuused|networkkbs|diskkbs|memorykbs|memoryintfreekbs|memorytargetkbs|diskio|bootmode|boottype|(memory|cpu)OvercommitRatio|Message\.ReservedCapacityFreed)/;

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/;
const MAC = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/;
const VLAN = /^vlan:\/\/\d+$/;

/** Lists whose order is chance (sets inside the server), and the field that tells which item is which. */
const SETS: Readonly<Record<string, string>> = {
  service: 'name',
  capability: 'name',
  provider: 'name',
  nic: 'deviceid',
  tags: 'key',
  tag: 'key',
  api: 'name',
  params: 'name',
  response: 'name',
  host: 'name',
  networkoffering: 'name',
  vpcoffering: 'name',
};

/** Words joined with commas in an order that is chance. */
const WORD_SETS = new Set(['related', 'SupportedStickinessMethods']);

/** Values of the machine or of the moment: only their type is compared. */
const VARIES =
  /^(heapmemory|threads|systemmemory|systemload|systemtotalcpu|systemcycle|cpuload|cpuused|cpualloc|memoryalloc|memoryused|networkkbs|availableprocessors|agentcount|sessions$|java|osdistribution|kernelversion|managementserverid|hostid$|hostname$|zonetoken|apilimit|sessionkey|lastpinged|events$|receivedbytes|sentbytes)/;

/** What was taken out of a recording. */
const REMOVED = /^<[A-Za-z _-]+>$/;

interface Place {
  readonly path: string;
  readonly field: string;
  /** The machine whose addresses are spoken of: guest addresses mean something only there. */
  readonly machine?: string;
  /** Only some items of the lists below were kept in the recording. */
  readonly partial: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** Compares a recorded answer with the simulator's: shape, types, and values that do not depend on time or chance. */
export class Comparison {
  readonly differences: string[] = [];
  readonly #bindings: Bindings;

  constructor(bindings: Bindings) {
    this.#bindings = bindings;
  }

  compare(recorded: unknown, simulated: unknown): void {
    this.#value(recorded, simulated, { path: '$', field: '', partial: false });
  }

  text(place: string, recorded: string | undefined, simulated: string | undefined): void {
    const equal =
      recorded === undefined || simulated === undefined
        ? recorded === simulated
        : sameText(recorded, simulated, this.#bindings, { inJob: false });
    if (!equal) this.#differ(place, recorded, simulated);
  }

  equal(place: string, recorded: unknown, simulated: unknown): void {
    if (recorded !== simulated) this.#differ(place, recorded, simulated);
  }

  #differ(path: string, recorded: unknown, simulated: unknown): void {
    this.differences.push(`${path}: ${brief(recorded)} was recorded, the simulator says ${brief(simulated)}`);
  }

  #value(recorded: unknown, simulated: unknown, place: Place): void {
    if (Array.isArray(recorded) && Array.isArray(simulated)) this.#list(recorded, simulated, place);
    else if (isObject(recorded) && isObject(simulated)) this.#object(recorded, simulated, place);
    else if (!this.#sameScalar(recorded, simulated, place)) this.#differ(place.path, recorded, simulated);
  }

  #object(recorded: Fields, simulated: Fields, place: Place): void {
    const partial = place.partial || '_cut' in recorded;
    const names = Object.keys(recorded).filter((name) => name !== '_cut' && !SOMETIMES.test(name));
    const machine = machineOf(recorded) ?? place.machine;
    for (const name of names) {
      const path = `${place.path}.${name}`;
      if (name in simulated) {
        this.#value(recorded[name], simulated[name], { path, field: name, partial, ...(machine && { machine }) });
      } else this.differences.push(`${path}: missing (${brief(recorded[name])} was recorded)`);
    }
    for (const name of Object.keys(simulated)) {
      if (!names.includes(name) && !SOMETIMES.test(name))
        this.differences.push(`${place.path}.${name}: not recorded (${brief(simulated[name])})`);
    }
    if (names.join() === 'id,jobid') this.equal(`${place.path} (order)`, 'id,jobid', Object.keys(simulated).join());
  }

  #list(recorded: readonly unknown[], simulated: readonly unknown[], place: Place): void {
    const pairs = this.#pair(recorded, simulated, place.field);
    for (const [index, [left, right]] of pairs.entries()) {
      const path = `${place.path}[${index}]`;
      if (left === ABSENT) {
        if (!place.partial) this.differences.push(`${path}: not recorded (${brief(right)})`);
      } else if (right === ABSENT) this.differences.push(`${path}: missing (${brief(left)} was recorded)`);
      else this.#value(left, right, { ...place, path });
    }
    if (place.field in SETS) return;
    const order = pairs.map(([, right]) => right).filter((item) => item !== ABSENT);
    const shared = simulated.filter((item) => order.includes(item));
    if (order.some((item, index) => item !== shared[index])) this.differences.push(`${place.path}: in another order`);
  }

  /** Which item answers which: by key in a set, by ids that are known to belong together, else by position. */
  #pair(recorded: readonly unknown[], simulated: readonly unknown[], field: string): [unknown, unknown][] {
    const rest = new Set(simulated);
    const key = SETS[field] ?? 'id';
    const take = (right: unknown): unknown => (rest.delete(right), right);
    const sure = recorded.map((left) => {
      const match = simulated.find((right) => rest.has(right) && this.#belong(left, right, key));
      return match === undefined ? ABSENT : take(match);
    });
    const strangers = [...rest].filter((right) => !this.#known(right));
    const pairs = recorded.map((left, index): [unknown, unknown] => {
      if (sure[index] !== ABSENT) return [left, sure[index]];
      const stranger = this.#appeared(left) ? undefined : strangers.shift();
      return [left, stranger === undefined ? ABSENT : take(stranger)];
    });
    return [...pairs, ...[...rest].map((right): [unknown, unknown] => [ABSENT, right])];
  }

  #belong(left: unknown, right: unknown, key: string): boolean {
    const [recorded, simulated] = [fieldOf(left, key), fieldOf(right, key)];
    if (recorded === undefined || simulated === undefined) return false;
    if (UUID.test(recorded)) return this.#bindings.simulated('id', recorded) === simulated;
    return recorded === simulated;
  }

  #known(right: unknown): boolean {
    const id = fieldOf(right, 'id');
    return id !== undefined && this.#bindings.recorded('id', id) !== undefined;
  }

  #appeared(left: unknown): boolean {
    const id = fieldOf(left, 'id');
    return id !== undefined && this.#bindings.simulated('id', id) !== undefined;
  }

  #sameScalar(recorded: unknown, simulated: unknown, place: Place): boolean {
    if (typeof recorded !== typeof simulated) return false;
    if (VARIES.test(place.field)) return true;
    if (typeof recorded !== 'string' || typeof simulated !== 'string') return recorded === simulated;
    if (REMOVED.test(recorded)) return true;
    return this.#sameString(recorded, simulated, place);
  }

  #sameString(recorded: string, simulated: string, { path, field, machine }: Place): boolean {
    const both = (pattern: RegExp): boolean => pattern.test(recorded) && pattern.test(simulated);
    if (both(DATE)) return true;
    if (both(UUID)) return this.#bindings.bind('id', recorded, simulated);
    if (both(MAC)) return this.#bindings.bind('mac', recorded, simulated);
    if (both(VLAN)) return this.#bindings.bind('vlan', recorded, simulated);
    if (field === 'vlan') return this.#bindings.bind('vlan', `vlan://${recorded}`, `vlan://${simulated}`);
    if (both(IPV4) && isAddress(field, path)) {
      const kind = isGuestAddress(path) ? `address of ${machine}` : 'public address';
      return this.#bindings.bind(kind, recorded, simulated);
    }
    // The account's own number stands in it, in hexadecimal.
    if (field === 'networkdomain') return recorded.replace(/^cs[\da-f]+/, '') === simulated.replace(/^cs[\da-f]+/, '');
    if (WORD_SETS.has(field)) return sorted(recorded) === sorted(simulated);
    return sameText(recorded, simulated, this.#bindings, { inJob: path.includes('.jobresult.') });
  }
}

const ABSENT = Symbol('absent');

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldOf(item: unknown, name: string): string | undefined {
  const value = isObject(item) ? item[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

function machineOf(item: Fields): string | undefined {
  if ('nic' in item || 'displayname' in item) return fieldOf(item, 'id');
  const instance = item['loadbalancerruleinstance'];
  return isObject(instance) ? fieldOf(instance, 'id') : undefined;
}

/** Gateways and the like are told by the network; the addresses in it are drawn. */
function isAddress(field: string, path: string): boolean {
  return /^(ipaddress|publicip|vmipaddress|vmguestip|serviceip)$/.test(field) || path.includes('.lbvmipaddresses[');
}

function isGuestAddress(path: string): boolean {
  return /\.(nic|secondaryip|lbvmipaddresses)\b|\.(virtualmachine|loadbalancerruleinstance)\b.*\.ipaddress$|vmipaddress$|vmguestip$/.test(
    path,
  );
}

function sorted(words: string): string {
  return words.split(',').toSorted().join();
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
