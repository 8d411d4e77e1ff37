import { invalidValue } from '../api-error.ts';
import { isDomainAdmin, isRoot, type Call } from '../call.ts';
import { inDomain, isMember, projectOf } from '../access.ts';
import { sameText } from '../collation.ts';
import { list } from '../command.ts';
import { offeringOf, specifiesIpRanges } from '../operations/networks.ts';
import { like } from '../paging.ts';
import { PAGE, SCOPE } from '../parameter.ts';
import { resolveScope, type Scope, type ScopeValues } from '../scope.ts';
import type { Network } from '../state.ts';
import { showNetwork } from '../views/network.ts';
import { tagFilter } from './scoped-rows.ts';

/** Networks have rules of their own: root sees projects' too, and asking for all projects brings one's own along. */
function networkScope(call: Call, values: ScopeValues): Scope {
  const plain = values.account === undefined && values.domainid === undefined;
  if (plain && values.projectid === undefined) {
    if (isRoot(call)) return { includes: () => true };
    if (isDomainAdmin(call) && (values.listall === true || values.id !== undefined)) return domainScope(call);
  }
  if (plain && values.projectid === '-1') {
    return {
      includes: (ownerId) => {
        const project = projectOf(call.state, ownerId);
        return (
          ownerId === call.caller.account.id ||
          (project !== undefined && (isRoot(call) || isMember(project, call.caller.account.id)))
        );
      },
    };
  }
  return resolveScope(call, values);
}

function domainScope(call: Call): Scope {
  const { state, caller } = call;
  return {
    includes: (ownerId) => {
      const owner = state.accounts.get(ownerId);
      return owner !== undefined && inDomain(state, owner.domainId, caller.domain.id);
    },
  };
}

/** A network of a domain is there for all its accounts. */
function sharedWithCaller(call: Call, network: Network): boolean {
  if (network.aclType !== 'Domain' || network.domainId === undefined) return false;
  const { caller, state } = call;
  return network.subdomainAccess
    ? inDomain(state, caller.domain.id, network.domainId)
    : caller.domain.id === network.domainId;
}

export const networkListCommands = [
  list({
    name: 'listNetworks',
    description: 'Lists all available networks.',
    item: 'network',
    parameters: {
      ...PAGE,
      ...SCOPE,
      id: { type: 'uuid', of: 'network' },
      name: { type: 'string', since: '4.22' },
      zoneid: { type: 'uuid', of: 'zone' },
      type: { type: 'string' },
      issystem: { type: 'boolean' },
      acltype: { type: 'string' },
      traffictype: { type: 'string' },
      physicalnetworkid: { type: 'uuid', of: 'physical-network' },
      supportedservices: { type: 'list' },
      restartrequired: { type: 'boolean' },
      specifyipranges: { type: 'boolean' },
      vpcid: { type: 'uuid', of: 'vpc' },
      canusefordeploy: { type: 'boolean' },
      forvpc: { type: 'boolean' },
      networkofferingid: { type: 'uuid', of: 'network-offering' },
      associatednetworkid: { type: 'uuid', of: 'network', since: '4.17' },
      networkfilter: { type: 'string', since: '4.17' },
      displaynetwork: { type: 'boolean', rootOnly: true },
      showicon: { type: 'boolean', since: '4.16' },
      vlan: { type: 'string', since: '4.17' },
      retrieveonlyresourcecount: { type: 'boolean', since: '4.19' },
    },
    select: (call, values) => {
      checkWords(values);
      const scope = networkScope(call, values);
      const tagged = tagFilter(call, values.tags);
      const shared = values.projectid === undefined && values.account === undefined;
      const matches = networkFilter(call, values);
      return call.state.networks
        .filter(
          (network) =>
            network.removed === undefined &&
            ((network.aclType === 'Account' && scope.includes(network.accountId)) ||
              (shared && sharedWithCaller(call, network)) ||
              (isRoot(call) && network.aclType === 'Domain')) &&
            (tagged === undefined || tagged.has(network.id)) &&
            matches(network),
        )
        .toReversed();
    },
    show: showNetwork,
  }),
];

const TYPES = new Set(['all', 'isolated', 'shared', 'l2']);
const FILTERS = new Set(['all', 'account', 'domain', 'accountdomain', 'shared']);

function checkWords({ type, networkfilter }: NetworkFilter): void {
  if (type !== undefined && !TYPES.has(type.toLowerCase())) throw invalidValue(`Unexpected Guest type : ${type}`);
  if (networkfilter !== undefined && !FILTERS.has(networkfilter.toLowerCase())) {
    throw invalidValue(`Invalid value of networkfilter: ${networkfilter}`);
  }
}

/** `networkfilter` narrows by whose the network is. */
function passesFilter(filter: string | undefined, network: Network): boolean {
  switch (filter?.toLowerCase() ?? 'all') {
    case 'account':
      return network.aclType === 'Account';
    case 'domain':
      return network.aclType === 'Domain';
    case 'shared':
      return network.guestType === 'Shared';
    default:
      return true;
  }
}

interface NetworkFilter {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly keyword?: string | undefined;
  readonly zoneid?: string | undefined;
  readonly type?: string | undefined;
  readonly acltype?: string | undefined;
  readonly issystem?: boolean | undefined;
  readonly traffictype?: string | undefined;
  readonly supportedservices?: readonly string[] | undefined;
  readonly vpcid?: string | undefined;
  readonly forvpc?: boolean | undefined;
  readonly restartrequired?: boolean | undefined;
  readonly specifyipranges?: boolean | undefined;
  readonly canusefordeploy?: boolean | undefined;
  readonly networkofferingid?: string | undefined;
  readonly networkfilter?: string | undefined;
  readonly physicalnetworkid?: string | undefined;
  readonly associatednetworkid?: string | undefined;
  readonly vlan?: string | undefined;
}

function networkFilter(call: Call, values: NetworkFilter): (network: Network) => boolean {
  const { state } = call;
  const type = values.type?.toLowerCase();
  const services = values.supportedservices?.map((name) => name.toLowerCase());
  return (network) =>
    equal(values.id, network.id) &&
    equal(values.zoneid, network.zoneId) &&
    equal(values.vpcid, network.vpcId) &&
    equal(values.networkofferingid, network.offeringId) &&
    equal(values.restartrequired, network.restartRequired) &&
    equal(values.physicalnetworkid, state.zones.get(network.zoneId)?.physicalNetworkId) &&
    // Shared networks on top of isolated ones are not simulated.
    values.associatednetworkid === undefined &&
    (values.name === undefined || sameText(network.name, values.name)) &&
    (values.keyword === undefined || like(network.name, values.keyword)) &&
    (type === undefined || type === 'all' || network.guestType.toLowerCase() === type) &&
    (values.acltype === undefined || network.aclType.toLowerCase() === values.acltype.toLowerCase()) &&
    (values.traffictype === undefined || values.traffictype.toLowerCase() === 'guest') &&
    values.issystem !== true &&
    // Every network that shows can be deployed in.
    values.canusefordeploy !== false &&
    equal(values.specifyipranges, specifiesIpRanges(state, network)) &&
    passesFilter(values.networkfilter, network) &&
    equal(values.vlan, network.vlan === undefined ? undefined : String(network.vlan)) &&
    equal(values.forvpc, network.vpcId !== undefined) &&
    (services === undefined ||
      services.every((name) =>
        offeringOf(state, network)?.services.some((service) => service.name.toLowerCase() === name),
      ));
}

function equal<T>(wanted: T | undefined, actual: T | undefined): boolean {
  return wanted === undefined || wanted === actual;
}
