import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../src/scene/world.ts';
import { buildGoControllerScene } from './go-ccm-scene.ts';

/** Worlds that other controllers left behind on a real server: what a take-over finds. */
export const LEFT_OVERS = ['go-ccm-isolated', 'go-ccm-vpc', 'leaseweb-ccm-isolated'] as const;

export interface LeftOver {
  readonly note: string;
  /** The Kubernetes Services, as the API server gave them. */
  readonly services: readonly unknown[];
  /** What the real server answered, by command; for members followed by the name of the rule. */
  readonly answers: Readonly<Record<string, Answer>>;
  /** Builds the CloudStack side. */
  readonly scene: (world: World) => void;
}

type Fields = Readonly<Record<string, unknown>>;
type Answer = Readonly<Record<string, Fields>>;

export function leftOver(name: (typeof LEFT_OVERS)[number]): LeftOver {
  const file = join(import.meta.dirname, 'fixtures', 'left-overs', `${name}.json`);
  // The file is ours, and the test beside this file compares every answer in it.
  const { note, services, cloudstack } = JSON.parse(readFileSync(file, 'utf8')) as {
    note: string;
    services: unknown[];
    cloudstack: Record<string, Answer>;
  };
  return { note, services, answers: cloudstack, scene: (world) => build(world, cloudstack) };
}

function build(world: World, answers: Readonly<Record<string, Answer>>): void {
  const addresses = itemsOf(answers, 'listPublicIpAddresses');
  buildGoControllerScene(world, Object.fromEntries(addresses.map((ip) => [text(ip, 'ipaddress'), text(ip, 'id')])));
  for (const ip of addresses) if (ip['issourcenat'] === false) takeAddress(world, ip);
  for (const rule of itemsOf(answers, 'listLoadBalancerRules')) addRule(world, rule, answers);
  // These come newest first.
  for (const rule of itemsOf(answers, 'listFirewallRules').toReversed()) addFirewallRule(world, rule);
  for (const item of itemsOf(answers, 'listNetworkACLs').toReversed()) addAclItem(world, item);
}

function itemsOf(answers: Readonly<Record<string, Answer>>, command: string): readonly Fields[] {
  const [content] = Object.values(answers[command] ?? {});
  const items = Object.values(content ?? {}).find((value) => Array.isArray(value));
  return (items ?? []) as readonly Fields[];
}

function text(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new Error(`${name} is no text: ${JSON.stringify(fields)}`);
  return value;
}

function takeAddress(world: World, ip: Fields): void {
  const network = ip['associatednetworkname'];
  const place = typeof ip['vpcname'] === 'string' ? { vpc: ip['vpcname'] } : { network: String(network) };
  const { id } = world.publicIp({ address: text(ip, 'ipaddress'), ...place });
  if (typeof network === 'string')
    world.backend.state.publicIps.update(id, { networkId: text(ip, 'associatednetworkid') });
}

function addRule(world: World, rule: Fields, answers: Readonly<Record<string, Answer>>): void {
  const { protocol, cidrlist } = rule;
  const members = itemsOf(answers, `listLoadBalancerRuleInstances ${text(rule, 'name')}`).map((member) => ({
    virtualMachineId: text(member['loadbalancerruleinstance'] as Fields, 'id'),
    address: String((member['lbvmipaddresses'] as readonly string[])[0]),
    revoked: false,
  }));
  world.backend.state.loadBalancerRules.add({
    id: text(rule, 'id'),
    accountId: world.owner('ccm').id,
    publicIpId: text(rule, 'publicipid'),
    networkId: text(rule, 'networkid'),
    name: text(rule, 'name'),
    publicPort: Number(rule['publicport']),
    privatePort: Number(rule['privateport']),
    algorithm: text(rule, 'algorithm'),
    ...(typeof protocol === 'string' && { protocol }),
    ...(typeof cidrlist === 'string' && { cidrList: cidrlist }),
    members,
    state: 'Active',
    created: world.backend.clock.now(),
  });
}

function addFirewallRule(world: World, rule: Fields): void {
  world.backend.state.firewallRules.add({
    id: text(rule, 'id'),
    accountId: world.owner('ccm').id,
    publicIpId: text(rule, 'ipaddressid'),
    networkId: text(rule, 'networkid'),
    direction: 'ingress',
    protocol: text(rule, 'protocol'),
    startPort: Number(rule['startport']),
    endPort: Number(rule['endport']),
    cidrs: text(rule, 'cidrlist').split(','),
    state: 'Active',
    created: world.backend.clock.now(),
  });
}

/** The items of the default lists come with every installation. */
function addAclItem(world: World, item: Fields): void {
  if (text(item, 'aclname').startsWith('default_')) return;
  world.backend.state.aclItems.add({
    id: text(item, 'id'),
    listId: text(item, 'aclid'),
    protocol: text(item, 'protocol'),
    startPort: Number(item['startport']),
    endPort: Number(item['endport']),
    cidrs: text(item, 'cidrlist').split(','),
    trafficType: item['traffictype'] === 'Egress' ? 'Egress' : 'Ingress',
    number: Number(item['number']),
    action: item['action'] === 'Deny' ? 'Deny' : 'Allow',
    state: 'Active',
  });
}
