import { addCustomRoleAccount } from './scene.ts';
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
const NODE_1 = '202b9cf4-3677-4bb1-b45d-2e9b4e3e3899';
const WEB_443 = '4ae6f143-961d-422a-854f-0a4f5511bfa7';
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
    before: 707,
    happen: (script) => script.call('user', 'updateLoadBalancerRule', { id: WEB_443, name: 'web-443' }),
  },
  {
    // Static NAT needs an address without rules.
    before: 797,
    happen: async (script) => {
      await script.deleteRules('createPortForwardingRule', ['c0d4fdfa-2ee7-4465-92be-3a5f124a84b5']);
      await script.deleteRules('createPortForwardingRule', ['7d21fc72-5ff7-4836-b641-0527b5c56590']);
      await script.deleteRules('createLoadBalancerRule', ['52a694fa-8a17-4ae4-9f2c-f24f0daa2f66']);
    },
  },
  {
    before: 902,
    happen: (script) =>
      script.deleteRules('createLoadBalancerRule', [
        '1e92fcbb-d968-4f74-9188-dc9c62fe1324',
        'ae39d227-30a3-4827-bb5e-73cfc3d23376',
      ]),
  },
  {
    before: 920,
    happen: (script) => script.deleteRules('createLoadBalancerRule', ['3b3ad4d9-43c1-454a-b4ea-f6ae381ebf56']),
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
  {
    before: 1122,
    happen: (script) =>
      script.deleteRules('createLoadBalancerRule', [
        '627cfd79-9453-4536-8c20-04968d0f0006',
        'caba58e0-f572-47c4-b850-01b33f7219ad',
        '94f15670-4737-4c60-ba10-a299fb3141f5',
      ]),
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
  {
    // The address of the associate that failed for its project.
    before: 1233,
    happen: (script) => script.freeAddress('7c9c4e37-c7c7-478a-a15c-165d53881224'),
  },
  {
    before: 1242,
    happen: async (script) => {
      await script.world.allJobsEnd();
      script.clearFaults();
    },
  },
  {
    before: 1252,
    happen: (script) => script.deleteRules('createFirewallRule', ['f4d2841c-1108-49da-a36a-6b077d29649a']),
  },
  {
    before: 1254,
    happen: async (script) => {
      await script.world.allJobsEnd();
      script.refuse(NET);
    },
  },
  {
    before: 1267,
    happen: async (script) => {
      await script.world.allJobsEnd();
      script.clearFaults();
      await script.deleteRules('createLoadBalancerRule', [
        'f74294a5-76c6-439d-a552-097460c337c9',
        'bef5842c-fb7d-434b-af62-1c51e60f736d',
      ]);
      await publishOn77(script);
    },
  },
];

/** An address with a rule, a member, a firewall rule and tags: what a release takes along. */
async function publishOn77(script: Script): Promise<void> {
  const ipaddressid = '274d4f8c-e02a-4f61-ac85-a473c3a701d0';
  const balancer = '9a9ec81d-592d-405e-8416-c2563ad7f294';
  await script.call('user', 'associateIpAddress', { networkid: NET, ipaddress: '203.0.113.77' });
  await script.create(balancer, 'user', 'createLoadBalancerRule', { ...rule('all', 80), publicipid: ipaddressid });
  await script.call('user', 'assignToLoadBalancerRule', { id: balancer, virtualmachineids: NODE_1 });
  const open = { ipaddressid, protocol: 'tcp', startport: '80', endport: '80' };
  await script.create('fe021198-7640-42bf-bc40-aeb7bd49d136', 'user', 'createFirewallRule', open);
  for (const [resourcetype, resourceids] of Object.entries({ LoadBalancer: balancer, PublicIpAddress: ipaddressid })) {
    const tag = { 'tags[0].key': 'k', 'tags[0].value': 'v' };
    await script.call('user', 'createTags', { resourcetype, resourceids, ...tag });
  }
}

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
      const tags = { resourcetype: 'UserVm', resourceids: NODE_1, 'tags[0].key': 'j', 'tags[0].value': 'v' };
      await script.startJob('cfe2bd21-a347-4bb2-b39e-6d729a2d840c', 'user', 'createTags', tags);
    },
  },
];

const conserveVpc: readonly Interlude[] = [
  { before: 1334, happen: (script) => script.bindSecondaryAddress('10.1.1.218', NODE_1) },
  {
    before: 1344,
    happen: async (script) => {
      const vpc = '0bfbb46e-0cf1-4dbb-bc93-d28cdffdcfef';
      script.state.networkOfferings.update('41b89832-4cd3-4ff7-a714-e198ed65d53c', { state: 'Enabled' });
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
      script.bindSourceNat('f8fe0e43-b699-4653-8c65-6fe4c289fc62', vpc);
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
  {
    before: 1362,
    happen: async (script) => {
      await script.call('admin', 'destroyVirtualMachine', {
        id: 'acd27ff0-7e28-4573-85be-59fe97deb385',
        expunge: 'true',
      });
      script.setRouter(NET, 'Stopped');
    },
  },
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
  {
    // A wrong session key has ended the session, whether that call was recorded or not.
    before: 1393,
    happen: async (script) => {
      await script.world.allJobsEnd();
      script.world.restart();
    },
  },
  { before: 1394, happen: (script) => script.slowJobs(6000) },
  { before: 1397, happen: (script) => script.world.allJobsEnd() },
  { before: 1399, happen: (script) => script.world.allJobsEnd() },
  {
    before: 1401,
    happen: async (script) => {
      await script.world.allJobsEnd();
      await script.call('user', 'associateIpAddress', { networkid: NET });
      const open = { ipaddressid: '2d26c82e-8bfc-411b-a36c-f1791263227a', protocol: 'tcp', startport: '1' };
      await script.call('user', 'createFirewallRule', open);
      await script.deleteRules('createLoadBalancerRule', ['6bcdffc9-8091-47d7-bcd2-6666f6e27b3a']);
    },
  },
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
    before: 1449,
    happen: ({ state, world }) => {
      const huge = { name: 'huge', displaytext: 'huge', cpuNumber: 1000, cpuSpeed: 1000, memory: 16_777_216 };
      const created = world.simulator.clock.now();
      state.serviceOfferings.add({ id: '438d2b69-abc9-4afc-ba79-4fcd10436949', ...huge, created });
    },
  },
  { before: 1452, happen: (script) => addCustomRoleAccount(script.state) },
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
].sort((one, other) => one.before - other.before);
