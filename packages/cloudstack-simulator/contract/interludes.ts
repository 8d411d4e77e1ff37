import type { Script } from './script.ts';

/** Something that happened between two recorded calls and left no recording: a setting, a failing router, a call. */
export interface Interlude {
  /** Happens before the first case with this seq or a later one. */
  readonly before: number;
  readonly happen: (script: Script) => Promise<void> | void;
}

const FOREIGN = 'a32a621f-a728-493a-91fc-ef690ed75cf8';
const NET = 'd870d060-3939-4f03-b9c5-a0cecefc12a5';
const MAIN_ADDRESS = 'fc01abfd-7998-4b01-a454-eeaf8e3afca6';
const ZONE = 'b0159552-ebcf-4abb-9f17-fe2e0ec321f8';
const VICTIM = '00000029-0000-4000-8000-000000000001';

function rule(name: string, port: number): Record<string, string> {
  return {
    algorithm: 'roundrobin',
    name,
    privateport: '30080',
    publicport: String(port),
    publicipid: MAIN_ADDRESS,
    protocol: 'tcp',
    openfirewall: 'false',
  };
}

const preparation: readonly Interlude[] = [
  {
    before: 48,
    happen: (script) =>
      script.create(VICTIM, 'user', 'deployVirtualMachine', {
        zoneid: ZONE,
        templateid: 'a06d2ba3-ed09-11f1-a637-000000000001',
        serviceofferingid: 'e4895136-074a-4ef4-ab8c-0ac563692522',
        name: 'node-gone-2',
        networkids: NET,
      }),
  },
  {
    before: 55,
    happen: (script) => script.call('admin', 'destroyVirtualMachine', { id: VICTIM, expunge: 'true' }),
  },
  {
    // The odd rules that were tried first: port 0, port 53, a blank in the CIDR list.
    before: 470,
    happen: async (script) => {
      const ids = script.state.loadBalancerRules.filter(() => true).map(({ id }) => id);
      for (const id of ids) await script.callRaw('admin', 'deleteLoadBalancerRule', { id });
    },
  },
  {
    before: 1121,
    happen: async (script) => {
      const port0 = { ...rule('port0', 0), cidrlist: '0.0.0.0/0' };
      const space = { ...rule('space', 8090), cidrlist: '10.0.0.0/8, 192.0.2.0/24' };
      const private0 = { ...rule('priv0', 8091), privateport: '0', cidrlist: '0.0.0.0/0' };
      await script.create('627cfd79-9453-4536-8c20-04968d0f0006', 'user', 'createLoadBalancerRule', port0);
      await script.create('caba58e0-f572-47c4-b850-01b33f7219ad', 'user', 'createLoadBalancerRule', space);
      await script.create('94f15670-4737-4c60-ba10-a299fb3141f5', 'user', 'createLoadBalancerRule', private0);
    },
  },
  // The clean-up thread: expunge.delay 60, expunge.interval 30.
  { before: 1174, happen: (script) => script.world.pass(75_000) },
  { before: 1175, happen: (script) => script.world.pass(75_000) },
];

const failingRouter: readonly Interlude[] = [
  { before: 1189, happen: (script) => script.slowJobs(5000) },
  { before: 1198, happen: (script) => script.world.allJobsEnd() },
  { before: 1200, happen: (script) => script.world.allJobsEnd() },
  {
    before: 1205,
    happen: async (script) => {
      await script.world.allJobsEnd();
      script.clearFaults();
      script.refuse(NET);
    },
  },
  {
    before: 1223,
    happen: (script) =>
      script.create('d2c84cfd-f7dd-4def-ab17-c3c69daa0394', 'user', 'createLoadBalancerRule', {
        ...rule('left', 8097),
        openfirewall: 'true',
      }),
  },
  { before: 1242, happen: (script) => script.clearFaults() },
  { before: 1254, happen: (script) => script.refuse(NET) },
  { before: 1267, happen: (script) => script.clearFaults() },
];

const limits: readonly Interlude[] = [
  {
    before: 1303,
    happen: ({ state }) => {
      state.settings = {
        ...state.settings,
        maxAccountPublicIps: 1,
        maxProjectPublicIps: 1,
        maxAccountVirtualMachines: 3,
      };
    },
  },
  {
    before: 1306,
    happen: async (script) => {
      script.state.settings = {
        ...script.state.settings,
        maxAccountPublicIps: 20,
        maxProjectPublicIps: 20,
        maxAccountVirtualMachines: 20,
      };
      const tags = { resourcetype: 'Network', resourceids: NET, 'tags[0].key': 'x', 'tags[0].value': 'y' };
      await script.startJob('cfe2bd21-a347-4bb2-b39e-6d729a2d840c', 'user', 'createTags', tags);
    },
  },
  {
    before: 1314,
    happen: (script) =>
      script.call('user', 'deleteTags', { resourcetype: 'Network', resourceids: NET, 'tags[0].key': 'x' }),
  },
];

const conserveVpc: readonly Interlude[] = [
  {
    before: 1344,
    happen: async (script) => {
      const vpc = '0bfbb46e-0cf1-4dbb-bc93-d28cdffdcfef';
      await script.create(vpc, 'user', 'createVPC', {
        name: 'vpc-conserve',
        displaytext: 'vpc-conserve',
        cidr: '10.4.0.0/16',
        vpcofferingid: '73f3d3e5-94bd-450c-8651-9096e1a83c46',
        zoneid: ZONE,
      });
      await script.create('101a60b2-7deb-4a7c-a54e-dce5f8a9a011', 'user', 'createNetwork', {
        name: 'tierc',
        displaytext: 'tierc',
        networkofferingid: '41b89832-4cd3-4ff7-a714-e198ed65d53c',
        zoneid: ZONE,
        gateway: '10.4.1.1',
        netmask: '255.255.255.0',
        vpcid: vpc,
      });
    },
  },
];

const slowMachines: readonly Interlude[] = [
  { before: 1354, happen: (script) => script.slowJobs(6000) },
  { before: 1356, happen: (script) => script.world.allJobsEnd() },
  { before: 1359, happen: (script) => script.world.allJobsEnd() },
  {
    before: 1361,
    happen: async (script) => {
      await script.world.allJobsEnd();
      script.clearFaults();
    },
  },
  { before: 1362, happen: (script) => script.setRouter(NET, 'Stopped') },
];

const switchedOff: readonly Interlude[] = [
  {
    before: 1378,
    happen: (script) => {
      script.setRouter(NET, 'Running');
      script.state.zones.update(ZONE, { allocationState: 'Disabled' });
    },
  },
  {
    before: 1382,
    happen: ({ state }) => {
      state.zones.update(ZONE, { allocationState: 'Enabled' });
      state.accounts.update(FOREIGN, { state: 'disabled' });
    },
  },
  {
    before: 1383,
    happen: ({ state }) => void state.accounts.update(FOREIGN, { state: 'locked' }),
  },
  {
    before: 1384,
    happen: ({ state }) => void state.accounts.update(FOREIGN, { state: 'enabled' }),
  },
];

const slowRouter: readonly Interlude[] = [
  { before: 1394, happen: (script) => script.slowJobs(6000) },
  { before: 1397, happen: (script) => script.world.allJobsEnd() },
  { before: 1399, happen: (script) => script.world.allJobsEnd() },
  { before: 1401, happen: (script) => script.world.allJobsEnd() },
  { before: 1403, happen: (script) => script.world.allJobsEnd() },
  {
    before: 1404,
    happen: async (script) => {
      await script.world.pass(1000);
      script.world.restart();
      script.clearFaults();
    },
  },
];

const settings: readonly Interlude[] = [
  { before: 1405, happen: ({ state }) => void (state.settings = { ...state.settings, defaultPageSize: 5 }) },
  {
    before: 1411,
    happen: async (script) => {
      script.state.settings = {
        ...script.state.settings,
        defaultPageSize: 500,
        throttlingEnabled: true,
        throttlingIntervalSeconds: 20,
        throttlingMax: 5,
      };
      for (let call = 0; call < 5; call++) await script.callRaw('user', 'listZones', {});
    },
  },
  { before: 1417, happen: ({ state }) => void (state.settings = { ...state.settings, throttlingEnabled: false }) },
  { before: 1421, happen: (script) => script.hideProjects() },
  { before: 1430, happen: (script) => script.showProjects() },
];

const lastOnes: readonly Interlude[] = [
  {
    before: 1434,
    happen: (script) =>
      script.create('7f800dca-5122-4b8e-b679-fa6155dc0c7f', 'user', 'createNetwork', {
        name: 'short-lived',
        displaytext: 'short-lived',
        networkofferingid: '0c2630f4-54e8-4a27-8ed9-0ae32bfb2504',
        zoneid: ZONE,
      }),
  },
  {
    before: 1441,
    happen: async (script) => {
      const id = '29d7b93c-48c3-4376-b05f-15a3c82cbfff';
      await script.create(id, 'user', 'createLoadBalancerRule', rule('tagged', 6300));
      const tags = { resourcetype: 'LoadBalancer', resourceids: id, 'tags[0].key': 'z', 'tags[0].value': 'v' };
      await script.call('user', 'createTags', tags);
      await script.call('user', 'deleteLoadBalancerRule', { id });
    },
  },
  {
    before: 1442,
    happen: async (script) => {
      const open = {
        ipaddressid: MAIN_ADDRESS,
        protocol: 'tcp',
        startport: '6301',
        endport: '6301',
        cidrlist: '0.0.0.0/0',
      };
      await script.create('b4663ea3-5055-459f-a6f7-6330e4383db5', 'user', 'createFirewallRule', open);
      const opened = '00001442-0000-4000-8000-000000000001';
      await script.create(opened, 'user', 'createLoadBalancerRule', { ...rule('opened', 6301), openfirewall: 'true' });
      await script.call('user', 'deleteLoadBalancerRule', { id: opened });
    },
  },
];

/** In the order in which they happened. */
export const interludes: readonly Interlude[] = [
  ...preparation,
  ...failingRouter,
  ...limits,
  ...conserveVpc,
  ...slowMachines,
  ...switchedOff,
  ...slowRouter,
  ...settings,
  ...lastOnes,
];
