import { InvalidInputError } from '@cloudstack-ccm/base';
import { defaultSettings, type Settings } from '../settings.ts';
import { fieldTypes } from './field-types.ts';
import type {
  AccountSpec,
  NetworkSpec,
  VirtualMachineSpec,
  VpcSpec,
  ZoneSpec,
  NetworkOfferingSpec,
  VpcOfferingSpec,
} from './specs.ts';
import type { World } from './world.ts';

type First<M extends (...parameters: never[]) => unknown> = Parameters<M>[0];

/** A scene as data: what a YAML file holds. Every part may be left out there. */
export interface SceneDocument {
  readonly domains: readonly First<World['domain']>[];
  readonly accounts: readonly AccountSpec[];
  readonly zones: readonly ZoneSpec[];
  readonly projects: readonly First<World['project']>[];
  readonly serviceOfferings: readonly First<World['serviceOffering']>[];
  readonly networkOfferings: readonly NetworkOfferingSpec[];
  readonly vpcOfferings: readonly VpcOfferingSpec[];
  readonly vpcs: readonly VpcSpec[];
  readonly aclLists: readonly First<World['aclList']>[];
  readonly networks: readonly NetworkSpec[];
  readonly virtualMachines: readonly (VirtualMachineSpec & { readonly count?: number })[];
  readonly publicIps: readonly First<World['publicIp']>[];
  readonly settings: Partial<Settings>;
}

type Kind = keyof typeof fieldTypes;

/** `!` after a kind: must be there. */
type Shape = Readonly<Record<string, Kind | `${Kind}!`>>;

const NAMED: Shape = { id: 'text', name: 'text!' };

const SHAPES: Readonly<Record<Exclude<keyof SceneDocument, 'settings'>, Shape>> = {
  domains: { ...NAMED, parent: 'text' },
  accounts: {
    ...NAMED,
    domain: 'text',
    type: 'accountType',
    rules: 'rules',
    userId: 'text',
    password: 'text',
    apiKey: 'text',
    secretKey: 'text',
  },
  zones: { ...NAMED, publicRange: 'range', dns1: 'address' },
  projects: { ...NAMED, owner: 'text!', members: 'texts' },
  serviceOfferings: { ...NAMED, cpuNumber: 'number!', cpuSpeed: 'number', memory: 'number!' },
  networkOfferings: {
    ...NAMED,
    guestType: 'guestType',
    services: 'texts!',
    provider: 'text',
    forVpc: 'boolean',
    conserveMode: 'boolean',
    routed: 'boolean',
  },
  vpcOfferings: { ...NAMED, services: 'texts!', conserveMode: 'boolean' },
  vpcs: { ...NAMED, owner: 'text!', zone: 'text', cidr: 'cidr', offering: 'text' },
  aclLists: { ...NAMED, vpc: 'text!', description: 'text' },
  networks: {
    ...NAMED,
    owner: 'text!',
    zone: 'text',
    offering: 'text',
    cidr: 'cidr',
    vpc: 'text',
    acl: 'text',
    displaytext: 'text',
    vlan: 'vlan',
    ip6Cidr: 'text',
    implemented: 'boolean',
  },
  virtualMachines: {
    ...NAMED,
    owner: 'text!',
    networks: 'names!',
    displayname: 'text',
    state: 'machineState',
    offering: 'text',
    ipAddress: 'address',
    count: 'count',
  },
  publicIps: { address: 'address', network: 'text', vpc: 'text' },
};

/** Checks that a value is a scene. @throws InvalidInputError that names the first place that is wrong. */
export function readScene(value: unknown): SceneDocument {
  const document = readRecord(value ?? {}, 'scene');
  const known = new Set([...Object.keys(SHAPES), 'settings']);
  refuseOthers(document, known, 'scene');
  const parts = Object.entries(SHAPES).map(([part, shape]): [string, Record<string, unknown>[]] => [
    part,
    readPart(document[part], shape, part),
  ]);
  refuseDoubles(Object.fromEntries(parts));
  // The shapes above are those of the interface.
  return { ...Object.fromEntries(parts), settings: readSettings(document['settings']) } as SceneDocument;
}

/** Parts in which things are told apart otherwise: machines by network too, domains by what is above them. */
const NAMES_REPEAT = new Set(['virtualMachines', 'domains']);

/** Ids are unique within a part, and names, too; but accounts of several domains may have the same. */
function refuseDoubles(parts: Readonly<Record<string, readonly Record<string, unknown>[]>>): void {
  for (const [part, items] of Object.entries(parts)) {
    const keys = items.flatMap(({ id, name, domain }) => [
      ...(typeof id === 'string' ? [`id ${id}`] : []),
      ...(typeof name === 'string' && !NAMES_REPEAT.has(part)
        ? [`name ${name}${typeof domain === 'string' ? ` in ${domain}` : ''}`]
        : []),
    ]);
    const double = keys.find((key, index) => keys.indexOf(key) !== index);
    if (double !== undefined) throw new InvalidInputError(`${part} has the ${double} twice`);
  }
}

function readPart(value: unknown, shape: Shape, path: string): Record<string, unknown>[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw wrong(path, 'a list');
  return value.map((item: unknown, index) => readItem(item, shape, `${path}[${index}]`));
}

function readItem(value: unknown, shape: Shape, path: string): Record<string, unknown> {
  const item = readRecord(value, path);
  refuseOthers(item, new Set(Object.keys(shape)), path);
  for (const [field, kind] of Object.entries(shape)) {
    const at = `${path}.${field}`;
    if (item[field] === undefined) {
      if (kind.endsWith('!')) throw new InvalidInputError(`${at} is missing`);
    } else checkKind(item[field], kind.replace('!', '') as Kind, at);
  }
  return item;
}

function checkKind(value: unknown, kind: Kind, path: string): void {
  const type = fieldTypes[kind];
  if (!type.fits(value)) throw wrong(path, type.words);
}

/** Checks that a value is a part of the settings. @throws InvalidInputError */
export function readSettings(value: unknown): Partial<Settings> {
  if (value === undefined || value === null) return {};
  const settings = readRecord(value, 'settings');
  const defaults: Readonly<Record<string, unknown>> = { ...defaultSettings };
  refuseOthers(settings, new Set(Object.keys(defaults)), 'settings');
  for (const [name, own] of Object.entries(settings)) {
    if (typeof own !== typeof defaults[name]) throw wrong(`settings.${name}`, `a ${typeof defaults[name]}`);
    // -1 is "no limit" throughout CloudStack.
    if (typeof own === 'number' && !(Number.isSafeInteger(own) && own >= -1)) {
      throw wrong(`settings.${name}`, 'a whole number, or -1');
    }
  }
  return settings;
}

function readRecord(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(path, 'a mapping');
  return value as Record<string, unknown>;
}

function refuseOthers(record: Record<string, unknown>, known: ReadonlySet<string>, path: string): void {
  const other = Object.keys(record).find((name) => !known.has(name));
  if (other === undefined) return;
  throw new InvalidInputError(`${path} has no field ${other}. It may have ${[...known].join(', ')}.`);
}

function wrong(path: string, expected: string): Error {
  return new InvalidInputError(`${path} must be ${expected}`);
}
