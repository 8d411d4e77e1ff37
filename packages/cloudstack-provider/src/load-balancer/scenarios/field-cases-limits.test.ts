import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Scope } from '@cloudstack-ccm/base';
import { completed } from '@cloudstack-ccm/cloudstack-client';
import { versionProfiles } from '@cloudstack-ccm/cloudstack-simulator';
import { isolatedScene, type Cloud } from '../testing/cloud.ts';
import { LB, port, TestService } from '../testing/service.ts';
import { withCloud } from '../testing/with-cloud.ts';

const NODES = ['node-1', 'node-2', 'node-3'];

function policies(cloud: Cloud): readonly string[] {
  const { state } = cloud.simulator;
  return [...state.stickinessPolicies.values()]
    .filter((policy) => policy.state !== 'Revoke')
    .map(({ loadBalancerRuleId, methodName, parameters, description = '' }) => {
      const rule = state.loadBalancerRules.get(loadBalancerRuleId)?.publicPort;
      return `${rule} ${methodName} ${JSON.stringify(parameters)} ${description}`.trim();
    })
    .toSorted();
}

/** Numbers are those of the list of cases from the field. */
describe('stickiness, as users had it', () => {
  const cloud = withCloud();
  const httpAndHttps = (): TestService =>
    new TestService({ ports: [port('80:31080', 'http'), port('443:31443', 'https')] });
  const MARK = 'Managed by the CloudStack Kubernetes Provider';

  it('61: a cookie on the plain HTTP port only, changed, removed; a policy made by hand stays', async () => {
    const service = httpAndHttps();
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    const https = cloud().simulator.state.loadBalancerRules.find((rule) => rule.publicPort === 443);
    using scope = Scope.root();
    const byHand = { lbRuleId: https?.id ?? '', name: 'byhand', methodName: 'SourceBased' };
    await completed(scope, cloud().client.createStickinessPolicy(scope, byHand));
    const steps = [
      [
        { 'stickiness-method-name': 'LbCookie', 'stickiness-method-param': 'cookie-name=SERVERID,nocache=true' },
        `80 LbCookie {"cookie-name":"SERVERID","nocache":"true"} ${MARK}`,
      ],
      [{ 'stickiness-method-param': 'cookie-name=SID' }, `80 LbCookie {"cookie-name":"SID"} ${MARK}`],
      [{ 'stickiness-method-name': null, 'stickiness-method-param': null }, undefined],
    ] as const;
    for (const [annotations, expected] of steps) {
      service.annotate(annotations);
      await controller.ensure(service, cloud().nodes(...NODES));
      assert.deepEqual(policies(cloud()), ['443 SourceBased {}', ...(expected ? [expected] : [])]);
      const writes = cloud().lastWrite;
      await controller.ensure(service, cloud().nodes(...NODES));
      await cloud()
        .controller()
        .ensure(service, cloud().nodes(...NODES));
      assert.deepEqual(cloud().writesSince(writes), []);
    }
  });

  it('is not asked about where nobody ever wanted it', async () => {
    const controller = cloud().controller();
    const service = new TestService();
    await controller.ensure(service, cloud().nodes(...NODES));
    await controller.ensure(service, cloud().nodes(...NODES));
    assert.equal(cloud().simulator.callLog.counts['listLBStickinessPolicies'], undefined);
  });

  it('is found and removed by a controller that died before it could note more', async () => {
    const service = new TestService();
    service.annotate({ 'stickiness-method-name': 'SourceBased' });
    service.beforeAnnotate = () => {
      if (policies(cloud()).length > 0) throw new Error('the API server is away');
    };
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES))
      .catch(() => undefined);
    assert.equal(policies(cloud()).length, 1);
    service.beforeAnnotate = () => undefined;
    service.annotate({ 'stickiness-method-name': null });
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(policies(cloud()), []);
  });

  it('62: a mode that HAProxy does not know is named with those it knows, and nothing is written', async () => {
    const service = httpAndHttps();
    service.annotate({ 'stickiness-method-name': 'LbCookie', 'stickiness-method-param': 'mode=sideways' });
    const writes = cloud().lastWrite;
    await assert.rejects(
      cloud()
        .controller()
        .ensure(service, cloud().nodes(...NODES)),
      /stickiness parameter mode in annotation \S+stickiness-method-param must be one of insert, rewrite, prefix, not "sideways"/,
    );
    assert.deepEqual(cloud().writesSince(writes), []);
  });

  it('63: commands that are not permitted matter only to those who want stickiness', async () => {
    for (const command of ['listLBStickinessPolicies', 'createLBStickinessPolicy', 'deleteLBStickinessPolicy']) {
      cloud().fail(command, { kind: 'api-error', code: 432, text: 'does not exist or is not available' });
    }
    await cloud().handMade(`${LB}-tcp-80`, { members: NODES });
    const service = new TestService();
    const controller = cloud().controller();
    await controller.ensure(service, cloud().nodes(...NODES));
    assert.deepEqual(service.takeReasons(), []);
    service.annotate({ 'stickiness-method-name': 'SourceBased' });
    const rules = cloud().rules();
    await assert.rejects(controller.ensure(service, cloud().nodes(...NODES)), /does not exist or is not available/);
    assert.match(
      service.takeMessages(),
      /StickinessNotPermitted: .*listLBStickinessPolicies, createLBStickinessPolicy and deleteLBStickinessPolicy/,
    );
    assert.deepEqual(cloud().rules(), rules);
    assert.equal(cloud().addresses().length, 1);
  });
});

describe('58: TCP and UDP on one port, where the provider can do UDP', () => {
  const cloud = withCloud({
    scene: (world) => {
      isolatedScene(world);
      const services = ['SourceNat', 'Lb', 'Firewall', 'Dhcp', 'Dns'];
      world.networkOffering({ name: 'netscaler', services, provider: 'Netscaler' });
      world.network({ name: 'net-ns', owner: 'k8s', offering: 'netscaler', cidr: '10.5.1.0/24' });
      world.virtualMachine({ name: 'ns-1', owner: 'k8s', networks: ['net-ns'] });
    },
  });

  it('is refused before the first write, by the reason', async () => {
    const service = new TestService({ ports: [port('5060:31060'), port('5060/UDP:31061')] });
    const writes = cloud().lastWrite;
    await assert.rejects(
      cloud().controller().ensure(service, cloud().nodes('ns-1')),
      /port 5060 is asked for with two protocols: CloudStack cannot have two rules on one port/,
    );
    assert.deepEqual(service.takeReasons(), ['InvalidService']);
    assert.deepEqual(cloud().writesSince(writes), []);
  });

  it('is served as UDP alone', async () => {
    const service = new TestService({ ports: [port('5353/UDP:31053')] });
    await cloud().controller().ensure(service, cloud().nodes('ns-1'));
    assert.match(cloud().rules()[0] ?? '', new RegExp(`^${LB}-udp-5353 .* udp roundrobin`));
    assert.match(cloud().firewall()[0] ?? '', / udp 5353-5353 /);
  });
});

describe('56: port forwarding on an address that we took', () => {
  for (const version of ['4.18', '4.22']) {
    const cloud = withCloud({ version });

    it(`keeps the address allocated, on CloudStack ${version}`, async () => {
      const service = new TestService();
      await cloud()
        .controller()
        .ensure(service, cloud().nodes(...NODES));
      const [address = ''] = cloud().addresses();
      const { state, clock } = cloud().simulator;
      const rule = state.loadBalancerRules.find((one) => one.publicPort === 80);
      assert.ok(rule);
      state.portForwardingRules.add({
        id: 'forwarding',
        accountId: rule.accountId,
        publicIpId: rule.publicIpId,
        networkId: rule.networkId,
        protocol: 'tcp',
        publicPort: 2222,
        publicEndPort: 2222,
        privatePort: 22,
        privateEndPort: 22,
        virtualMachineId: cloud().machineId('node-1'),
        guestAddress: '10.1.1.11',
        cidrs: [],
        state: 'Active',
        created: clock.now(),
      });
      await cloud().controller().delete(service);
      assert.deepEqual([cloud().rules(), cloud().addresses()], [[], [address]]);
      assert.match(service.takeMessages(), /AddressKept: .*port forwarding rule forwarding for tcp 2222/);
    });
  }
});

describe('CloudStack 4.17, which says 401 for what a role may not do', () => {
  const cloud = withCloud({ version: '4.17' });

  it('is not taken for a wrong key where only marks are refused', async () => {
    cloud().fail('createTags', { kind: 'api-error', code: 401, text: 'unable to verify user credentials' });
    const service = new TestService();
    await cloud()
      .controller()
      .ensure(service, cloud().nodes(...NODES));
    assert.ok(service.takeReasons().includes('TaggingNotPermitted'));
    await cloud().controller().delete(service);
    assert.deepEqual([cloud().rules(), cloud().firewall(), cloud().addresses()], [[], [], []]);
  });
});

for (const { name: version } of versionProfiles) {
  describe(`a whole life on CloudStack ${version}`, () => {
    const cloud = withCloud({ version });

    it('converges at each step, and leaves nothing', async () => {
      const service = new TestService({ ports: [port('80:31080'), port('5353/UDP')] });
      const steps: (() => void)[] = [
        () => undefined,
        () => service.annotate({ 'proxy-protocol': 'true', 'source-cidrs': '10.0.0.0/8' }),
        () => service.edit({ loadBalancerSourceRanges: ['192.0.2.0/24'], sessionAffinity: 'ClientIP' }),
        () => service.edit({ ports: [port('80:32080'), port('443:31443')] }),
        () => service.annotate({ 'proxy-protocol': null, 'source-cidrs': null }),
      ];
      for (const step of steps) {
        step();
        await cloud()
          .controller()
          .ensure(service, cloud().nodes(...NODES));
        const writes = cloud().lastWrite;
        await cloud()
          .controller()
          .ensure(service, cloud().nodes(...NODES));
        assert.deepEqual(cloud().writesSince(writes), []);
      }
      assert.equal(cloud().rules().length, 2);
      assert.equal(cloud().addresses().length, 1);
      await cloud().controller().delete(service);
      assert.deepEqual([cloud().rules(), cloud().firewall(), cloud().addresses()], [[], [], []]);
    });

    it('takes no address for a Service of UDP ports alone', async () => {
      const service = new TestService({ ports: [port('5353/UDP')] });
      const writes = cloud().lastWrite;
      await assert.rejects(
        cloud()
          .controller()
          .ensure(service, cloud().nodes(...NODES)),
        /cannot balance UDP/,
      );
      assert.deepEqual(cloud().writesSince(writes), []);
    });
  });
}
