import { InvalidInputError } from '@cloudstack-ccm/base';
import { defaultSettings, type Settings } from '../settings.ts';
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

type Kind = 'text' | 'number' | 'boolean' | 'texts' | 'pair' | 'rules';

/** `!` after a kind: must be there. */
type Shape = Readonly<Record<string, Kind | `${Kind}!`>>;

const NAMED: Shape = { id: 'text', name: 'text!' };

const SHAPES: Readonly<Record<Exclude<keyof SceneDocument, 'settings'>, Shape>> = {
  domains: { ...NAMED, parent: 'text' },
  accounts: {
    ...NAMED,
    domain: 'text',
    type: 'text',
    rules: 'rules',
    userId: 'text',
    password: 'text',
    apiKey: 'text',
    secretKey: 'text',
  },
  zones: { ...NAMED, publicRange: 'pair', dns1: 'text' },
  projects: { ...NAMED, owner: 'text!', members: 'texts' },
  serviceOfferings: { ...NAMED, cpuNumber: 'number!', cpuSpeed: 'number', memory: 'number!' },
  networkOfferings: {
    ...NAMED,
    guestType: 'text',
    services: 'texts!',
    provider: 'text',
    forVpc: 'boolean',
    conserveMode: 'boolean',
    routed: 'boolean',
  },
  vpcOfferings: { ...NAMED, services: 'texts!', conserveMode: 'boolean' },
  vpcs: { ...NAMED, owner: 'text!', zone: 'text', cidr: 'text', offering: 'text' },
  aclLists: { ...NAMED, vpc: 'text!', description: 'text' },
  networks: {
    ...NAMED,
    owner: 'text!',
    zone: 'text',
    offering: 'text',
    cidr: 'text',
    vpc: 'text',
    acl: 'text',
    displaytext: 'text',
    vlan: 'number',
    ip6Cidr: 'text',
    implemented: 'boolean',
  },
  virtualMachines: {
    ...NAMED,
    owner: 'text!',
    networks: 'texts!',
    displayname: 'text',
    state: 'text',
    offering: 'text',
    ipAddress: 'text',
    count: 'number',
  },
  publicIps: { address: 'text', network: 'text', vpc: 'text' },
};

/** Checks that a value is a scene. @throws InvalidInputError that names the first place that is wrong. */
export function readScene(value: unknown): SceneDocument {
  const document = readRecord(value ?? {}, 'scene');
  const known = new Set([...Object.keys(SHAPES), 'settings']);
  refuseOthers(document, known, 'scene');
  const parts = Object.entries(SHAPES).map(([part, shape]) => [part, readPart(document[part], shape, part)]);
  // The shapes above are those of the interface.
  return { ...Object.fromEntries(parts), settings: readSettings(document['settings']) } as SceneDocument;
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
  switch (kind) {
    case 'text':
      if (typeof value !== 'string') throw wrong(path, 'a text');
      return;
    case 'number':
      if (typeof value !== 'number') throw wrong(path, 'a number');
      return;
    case 'boolean':
      if (typeof value !== 'boolean') throw wrong(path, 'true or false');
      return;
    case 'texts':
      if (!isTexts(value)) throw wrong(path, 'a list of texts');
      return;
    case 'pair':
      if (!isTexts(value) || value.length !== 2) throw wrong(path, 'a list of two addresses');
      return;
    case 'rules':
      if (!Array.isArray(value) || !value.every(isRule)) throw wrong(path, 'a list of {command, allow}');
      return;
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isRule(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'command' in value && typeof value.command === 'string' && 'allow' in value && typeof value.allow === 'boolean'
  );
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
