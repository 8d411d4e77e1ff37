import { InvalidInputError } from '@cloudstack-ccm/base';
import { addressToNumber, numberToAddress } from '../addresses.ts';
import type { Backend } from '../operations/backend.ts';
import { implementNetwork, networkDomainOf, startVpcRouter } from '../operations/networks.ts';
import { makeNics } from '../operations/nics.ts';
import { freePublicIp, takePublicIp } from '../operations/public-ips.ts';
import type {
  Account,
  AclList,
  Domain,
  Host,
  Network,
  NetworkOffering,
  Project,
  PublicIp,
  RoleRule,
  RoleType,
  ServiceOffering,
  Template,
  User,
  VirtualMachine,
  Vpc,
  VpcOffering,
  Zone,
} from '../state.ts';
import { projectAccountName } from '../operations/projects.ts';
import { addNetworkOffering, addVpcOffering } from './custom-offerings.ts';
import { install } from './install.ts';
import { addressing, defaultOffering } from './network-defaults.ts';
import type {
  AccountSpec,
  Credentials,
  Named,
  NetworkSpec,
  VirtualMachineSpec,
  VpcSpec,
  ZoneSpec,
  NetworkOfferingSpec,
  VpcOfferingSpec,
} from './specs.ts';

/** Builds the state that a simulator starts with. Everything is found by name. */
export class World {
  readonly backend: Backend;
  readonly #credentials = new Map<string, Credentials>();

  /** Starts with what every installation has: the root domain, its accounts, roles, default offerings and ACL lists. */
  constructor(backend: Backend) {
    this.backend = backend;
    const { account, user } = install(backend);
    this.#credentials.set('admin', { account, user, apiKey: user.apiKey ?? '', secretKey: user.secretKey ?? '' });
  }

  /** Keys by account name, `admin` (root) among them. */
  get credentials(): ReadonlyMap<string, Credentials> {
    return this.#credentials;
  }

  domain({ id, name, parent = 'ROOT' }: Named & { readonly parent?: string }): Domain {
    const above = this.#domain(parent);
    const path = `${above.path}/${name}`;
    return this.backend.state.domains.add({ id: this.#id(id), name, path, parentId: above.id });
  }

  account(spec: AccountSpec): Credentials {
    const { state, random, clock } = this.backend;
    const { name, type = 'user', password = 'password' } = spec;
    const account = state.accounts.add({
      id: this.#id(spec.id),
      name,
      domainId: this.#domain(spec.domain ?? 'ROOT').id,
      type,
      roleId: this.#role(spec),
      state: 'enabled',
      created: clock.now(),
    });
    const [apiKey, secretKey] = [spec.apiKey ?? random.key(), spec.secretKey ?? random.key()];
    const user = state.users.add({
      id: this.#id(spec.userId),
      accountId: account.id,
      username: name,
      firstname: name,
      lastname: 'example',
      email: `${name}@example.org`,
      timezone: 'UTC',
      password,
      state: 'enabled',
      apiKey,
      secretKey,
      created: clock.now(),
    });
    const credentials = { account, user, apiKey, secretKey };
    this.#credentials.set(name, credentials);
    return credentials;
  }

  /** A project; its owner is the first member. */
  project({ id, name, owner, members = [] }: Named & { owner: string; members?: readonly string[] }): Project {
    const { state, clock } = this.backend;
    const leader = this.owner(owner);
    const pseudo = state.accounts.add({
      id: this.#id(),
      name: projectAccountName(name, state.domains.get(leader.domainId)),
      domainId: leader.domainId,
      type: 'project',
      roleId: leader.roleId,
      state: 'enabled',
      created: clock.now(),
    });
    return state.projects.add({
      id: this.#id(id),
      accountId: pseudo.id,
      name,
      displaytext: name,
      domainId: leader.domainId,
      state: 'Active',
      members: [
        { accountId: leader.id, role: 'Admin' },
        ...members.map((member) => ({ accountId: this.owner(member).id, role: 'Regular' as const })),
      ],
      created: clock.now(),
    });
  }

  zone(spec: ZoneSpec): Zone {
    const { state } = this.backend;
    const zone = state.zones.add({
      id: this.#id(spec.id),
      name: spec.name,
      networkType: 'Advanced',
      securityGroupsEnabled: false,
      allocationState: 'Enabled',
      dns1: spec.dns1 ?? '192.0.2.53',
      internalDns1: '192.0.2.54',
      guestCidr: '10.1.1.0/24',
      zoneToken: this.#id(),
      physicalNetworkId: this.#id(),
      publicNetworkId: this.#id(),
      publicVlan: { id: this.#id(), tag: 50 },
    });
    const [first, last] = spec.publicRange ?? ['203.0.113.10', '203.0.113.200'];
    for (let number = addressToNumber(first); number <= addressToNumber(last); number++) {
      this.publicAddress({ address: numberToAddress(number), zone: zone.name });
    }
    this.host({ name: `host-${zone.name}-1`, zone: zone.name });
    return zone;
  }

  /** A host in a cluster (default `cluster-0`) of the zone's only pod. */
  host({ id, name, zone, cluster = 'cluster-0' }: Named & { readonly zone?: string; readonly cluster?: string }): Host {
    const { state, clock } = this.backend;
    const { id: zoneId, name: zoneName } = this.#zone(zone);
    const neighbours = state.hosts.filter((one) => one.zoneId === zoneId);
    const pod = neighbours[0]?.pod ?? { id: this.#id(), name: zoneName.replace(/^zone/, 'pod') };
    const mates = neighbours.find((one) => one.cluster.name === cluster);
    return state.hosts.add({
      id: this.#id(id),
      name,
      zoneId,
      pod,
      cluster: mates?.cluster ?? { id: this.#id(), name: cluster },
      state: 'Up',
      created: clock.now(),
    });
  }

  /** One public address of a zone, free. */
  publicAddress({
    id,
    address,
    zone,
    portable = false,
  }: {
    id?: string;
    address: string;
    zone?: string;
    portable?: boolean;
  }): PublicIp {
    return this.backend.state.publicIps.add({
      id: this.#id(id),
      address,
      zoneId: this.#zone(zone).id,
      state: 'Free',
      isSourceNat: false,
      isPortable: portable,
      isSystem: false,
    });
  }

  serviceOffering(
    spec: Named & Pick<ServiceOffering, 'cpuNumber' | 'memory'> & { cpuSpeed?: number },
  ): ServiceOffering {
    const { id, name, cpuNumber, memory, cpuSpeed = 1000 } = spec;
    const created = this.backend.clock.now();
    const row = { id: this.#id(id), name, displaytext: name, cpuNumber, cpuSpeed, memory, created };
    return this.backend.state.serviceOfferings.add(row);
  }

  networkOffering(spec: NetworkOfferingSpec): NetworkOffering {
    return addNetworkOffering(this.backend, spec);
  }

  vpcOffering(spec: VpcOfferingSpec): VpcOffering {
    return addVpcOffering(this.backend, spec);
  }

  network(spec: NetworkSpec): Network {
    const { state, clock } = this.backend;
    const vpc = spec.vpc === undefined ? undefined : this.#named(state.vpcs.values(), 'VPC', spec.vpc);
    const offering = this.#named(
      state.networkOfferings.values(),
      'network offering',
      spec.offering ?? defaultOffering(spec),
    );
    const acl = spec.acl === undefined ? undefined : this.#aclList(spec.acl, vpc);
    const layer3 = offering.guestType === 'L2' ? {} : addressing(spec.cidr ?? '10.1.1.0/24');
    const network = state.networks.add({
      id: this.#id(spec.id),
      name: spec.name,
      displaytext: spec.displaytext ?? spec.name,
      accountId: this.owner(spec.owner).id,
      zoneId: this.#zone(spec.zone).id,
      offeringId: offering.id,
      guestType: offering.guestType,
      aclType: offering.guestType === 'Shared' ? 'Domain' : 'Account',
      ...(offering.guestType === 'Shared' && { domainId: this.#domain('ROOT').id, subdomainAccess: true }),
      state: offering.guestType === 'Shared' ? 'Setup' : 'Allocated',
      ...layer3,
      ...(spec.ip6Cidr !== undefined && { ip6Cidr: spec.ip6Cidr, ip6Gateway: spec.ip6Cidr.replace(/\/.*$/, '1') }),
      ...(spec.vlan !== undefined && { vlan: spec.vlan }),
      networkDomain: vpc?.networkDomain ?? networkDomainOf(state, this.owner(spec.owner)),
      ...(vpc && { vpcId: vpc.id }),
      ...(acl && { aclListId: acl.id }),
      restartRequired: false,
      created: clock.now(),
    });
    if (spec.implemented !== false) implementNetwork(this.backend, network.id);
    return state.networks.get(network.id) ?? network;
  }

  vpc(spec: VpcSpec): Vpc {
    const { state, clock } = this.backend;
    const owner = this.owner(spec.owner);
    const vpc = state.vpcs.add({
      id: this.#id(spec.id),
      name: spec.name,
      displaytext: spec.name,
      accountId: owner.id,
      zoneId: this.#zone(spec.zone).id,
      cidr: spec.cidr ?? '10.2.0.0/16',
      offeringId: this.#named(state.vpcOfferings.values(), 'VPC offering', spec.offering ?? 'Default VPC offering').id,
      networkDomain: networkDomainOf(state, owner),
      state: 'Enabled',
      restartRequired: false,
      created: clock.now(),
    });
    startVpcRouter(this.backend, vpc);
    return vpc;
  }

  /** An empty network ACL list of a VPC. */
  aclList({ id, name, vpc, description }: Named & { vpc: string; description?: string }): AclList {
    const { state } = this.backend;
    const vpcId = this.#named(state.vpcs.values(), 'VPC', vpc).id;
    return state.aclLists.add({
      id: this.#id(id),
      name,
      ...(description !== undefined && { description }),
      vpcId,
      isDefault: false,
    });
  }

  virtualMachine(spec: VirtualMachineSpec): VirtualMachine {
    const { state, clock } = this.backend;
    const owner = this.owner(spec.owner);
    const networks = spec.networks.map((name) => this.networkNamed(name));
    const zoneId = networks[0]?.zoneId ?? this.#zone().id;
    const vmState = spec.state ?? 'Running';
    const requests = networks.map((network, index) => ({ network, ...(index === 0 && { ipAddress: spec.ipAddress }) }));
    const hostId = state.hosts.find((host) => host.zoneId === zoneId)?.id;
    if (vmState === 'Running') for (const network of networks) implementNetwork(this.backend, network.id);
    return state.virtualMachines.add({
      id: this.#id(spec.id),
      name: spec.name,
      displayname: spec.displayname ?? spec.name,
      accountId: owner.id,
      userId: this.#userOf(owner).id,
      zoneId,
      state: vmState,
      serviceOfferingId: this.#serviceOffering(spec.offering).id,
      templateId: this.#template().id,
      nics: makeNics(this.backend, requests),
      ...(vmState === 'Running' && hostId !== undefined && { hostId, lastHostId: hostId, lastUpdated: clock.now() }),
      details: {},
      haEnabled: false,
      created: clock.now(),
    });
  }

  /** An address that is in use already: of a network, or of a VPC. */
  publicIp({ address, network, vpc }: { address?: string; network?: string; vpc?: string }): PublicIp {
    const { state } = this.backend;
    const place = vpc === undefined ? this.networkNamed(network ?? '') : this.#named(state.vpcs.values(), 'VPC', vpc);
    const ip = freePublicIp(state, place.zoneId, address);
    if (!ip) throw new InvalidInputError(`No public address ${address ?? ''} is free for ${place.name}`);
    const { accountId, zoneId } = place;
    const home = vpc === undefined ? { networkId: place.id } : { vpcId: place.id };
    return takePublicIp(this.backend, ip, { accountId, zoneId, ...home });
  }

  /** The account with this name, or the pseudo account of the project with this name. */
  owner(name: string): Account {
    const { state } = this.backend;
    const project = state.projects.find((one) => one.name === name);
    const at = name.lastIndexOf('/');
    const [path, short] = at < 0 ? [undefined, name] : [name.slice(0, at), name.slice(at + 1)];
    const account = project
      ? state.accounts.get(project.accountId)
      : state.accounts.find(
          (one) => one.name === short && (path === undefined || state.domains.get(one.domainId)?.path === path),
        );
    if (!account) throw new InvalidInputError(`The scene has no account or project ${name}`);
    return account;
  }

  /** The network with this name. */
  networkNamed(name: string): Network {
    return this.#named(this.backend.state.networks.values(), 'network', name);
  }

  #userOf(owner: Account): User {
    const { state } = this.backend;
    const project = state.projects.by('accountId', owner.id)[0];
    const accountId = project?.members[0]?.accountId ?? owner.id;
    const user = state.users.by('accountId', accountId)[0];
    if (!user) throw new InvalidInputError(`Account ${owner.name} has no user`);
    return user;
  }

  #role({ name, type = 'user', rules }: AccountSpec): string {
    const { state } = this.backend;
    const roleType: RoleType = type === 'admin' ? 'Admin' : type === 'domain-admin' ? 'DomainAdmin' : 'User';
    const plain = state.roles.find((role) => role.type === roleType && role.isDefault);
    if (!rules) return plain?.id ?? '';
    const own: RoleRule[] = rules.map((rule) => ({ id: this.#id(), ...rule }));
    return state.roles.add({ id: this.#id(), name: `${name}-role`, type: roleType, isDefault: false, rules: own }).id;
  }

  #zone(name?: string): Zone {
    const { zones } = this.backend.state;
    if (name === undefined) {
      const first = zones.values().next().value;
      return first ?? this.zone({ name: 'zone-a' });
    }
    return this.#named(zones.values(), 'zone', name);
  }

  #domain(path: string): Domain {
    const domain = this.backend.state.domains.find((one) => one.path === path);
    if (!domain) throw new InvalidInputError(`The scene has no domain ${path}`);
    return domain;
  }

  #aclList(name: string, vpc: Vpc | undefined): AclList {
    const fits = (list: AclList): boolean => list.vpcId === undefined || list.vpcId === vpc?.id;
    return this.#named(this.backend.state.aclLists.filter(fits).values(), 'network ACL list', name);
  }

  #serviceOffering(name: string | undefined): ServiceOffering {
    const { serviceOfferings } = this.backend.state;
    return this.#named(serviceOfferings.values(), 'service offering', name ?? 'Medium Instance');
  }

  #template(): Template {
    return this.#first(this.backend.state.templates.values(), 'template');
  }

  #named<R extends { readonly name: string }>(rows: Iterable<R>, what: string, name: string): R {
    for (const row of rows) if (row.name === name) return row;
    throw new InvalidInputError(`The scene has no ${what} ${name}`);
  }

  #first<R>(rows: Iterable<R>, what: string): R {
    for (const row of rows) return row;
    throw new InvalidInputError(`The scene has no ${what}`);
  }

  #id(given?: string): string {
    return given ?? this.backend.random.uuid();
  }
}
