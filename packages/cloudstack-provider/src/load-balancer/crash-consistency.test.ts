import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { completed, type Decorator } from '@cloudstack-ccm/cloudstack-client';
import { Scope } from '@cloudstack-ccm/base';
import { readRecord } from '../public-ip/record.ts';
import type { Cloud, Controller } from './testing/cloud.ts';
import { Crash } from './testing/crash.ts';
import { LB, port, TestService } from './testing/service.ts';
import { withCloud } from './testing/with-cloud.ts';

const NODES = ['node-1', 'node-2', 'node-3'];

type Step = (controller: Controller, service: TestService, cloud: Cloud) => Promise<unknown>;

interface Story {
  readonly name: string;
  readonly version?: string;
  /** The server shows no free addresses. */
  readonly hidesFree?: boolean;
  readonly prepare?: (cloud: Cloud, service: TestService) => Promise<void>;
  /** Each sets what the user wants, then syncs. */
  readonly steps: readonly Step[];
}

const ensure: Step = (controller, service, cloud) => controller.ensure(service, cloud.nodes(...NODES));
const remove: Step = (controller, service) => controller.delete(service);

function edit(changes: Parameters<TestService['edit']>[0]): Step {
  return (controller, service, cloud) => {
    service.edit(changes);
    return ensure(controller, service, cloud);
  };
}

function annotate(changes: Parameters<TestService['annotate']>[0]): Step {
  return (controller, service, cloud) => {
    service.annotate(changes);
    return ensure(controller, service, cloud);
  };
}

const STORIES: readonly Story[] = [
  { name: 'a Service is made', steps: [ensure] },
  { name: 'a Service comes and goes', steps: [ensure, remove] },
  { name: 'a Service grows and shrinks', steps: [ensure, edit({ ports: [port('443:31443'), port('8080')] })] },
  {
    name: 'source ranges change',
    steps: [ensure, edit({ loadBalancerSourceRanges: ['192.0.2.0/24'] }), edit({ loadBalancerSourceRanges: [] })],
  },
  {
    name: 'protocol and affinity change on 4.20',
    version: '4.20',
    steps: [ensure, annotate({ 'proxy-protocol': 'true' }), edit({ sessionAffinity: 'ClientIP' }), remove],
  },
  { name: 'a rule is made anew', steps: [ensure, edit({ ports: [port('80:32000')] })] },
  { name: 'an address is asked for', steps: [edit({ loadBalancerIp: '203.0.113.30' }), remove] },
  { name: 'no free address is shown, and one is taken all the same', hidesFree: true, steps: [ensure, remove] },
  { name: 'the address changes', steps: [ensure, edit({ loadBalancerIp: '203.0.113.32' })] },
  {
    name: 'the address is the user’s',
    prepare: async (cloud, service) => {
      using scope = Scope.root();
      const networkId = cloud.networkId('net-iso');
      await completed(scope, cloud.client.associateIpAddress(scope, { networkId, ipAddress: '203.0.113.50' }));
      service.edit({ loadBalancerIp: '203.0.113.50' });
    },
    steps: [ensure, edit({ loadBalancerIp: '' }), remove],
  },
  {
    name: 'the rules of another controller are taken over and removed',
    prepare: async (cloud, service) => {
      const { address } = await cloud.handMade(`${LB}-80`, {
        protocol: 'TCP',
        members: NODES,
        address: '203.0.113.40',
      });
      service.edit({ ingress: [{ ip: address }] });
    },
    steps: [ensure, edit({ loadBalancerSourceRanges: ['192.0.2.0/24'] }), remove],
  },
];

const hideFree: Decorator = (next) => (scope, call) =>
  call.command === 'listPublicIpAddresses' && call.params['state'] === 'Free' ? Promise.resolve({}) : next(scope, call);

/** Every n-th moment is tried; 1 for all. */
const STRIDE = Number(process.env['CRASH_STRIDE'] ?? 5);

for (const version of new Set(STORIES.map((story) => story.version))) {
  describe(`a controller that dies at any moment, on CloudStack ${version ?? 'of now'}`, () => {
    const cloud = withCloud(version === undefined ? {} : { version });
    for (const story of STORIES.filter((one) => one.version === version)) {
      it(`leaves nothing wrong behind: ${story.name}`, async () => {
        const expected = await live(cloud(), story, new Crash(0));
        for (let at = 1; ; at += STRIDE) {
          cloud().reset();
          const crash = new Crash(at);
          const end = await live(cloud(), story, crash);
          if (!crash.happened) break;
          assert.deepEqual(end, expected, `dead at moment ${at}`);
        }
      });
    }
  });
}

/** Runs a story, with one process that dies and others that go on. */
async function live(cloud: Cloud, story: Story, crash: Crash): Promise<unknown> {
  const service = new TestService();
  await story.prepare?.(cloud, service);
  crash.watch(service);
  const hidden = story.hidesFree ? [hideFree] : [];
  let controller = cloud.controller({ decorators: [crash.decorator, ...hidden], random: () => 0 });
  for (const step of story.steps) {
    try {
      await step(controller, service, cloud);
    } catch (thrown) {
      if (!crash.happened) throw thrown;
      new Crash(0).watch(service);
      controller = cloud.controller({ decorators: hidden, random: () => 0 });
      await step(controller, service, cloud);
    }
  }
  return picture(cloud, service);
}

/** All there is, without what differs from one run to the next. */
function picture(cloud: Cloud, service: TestService): unknown {
  const { state } = cloud.simulator;
  const marked = (id: string): boolean =>
    [...state.tags.values()].some((tag) => tag.resourceId === id && tag.value === service.view.uid);
  const claims = readRecord(service.view.annotations)?.claims ?? [];
  return {
    rules: cloud.rules(),
    firewall: [...state.firewallRules.values()]
      .map((one) => `${one.publicIpId} ${one.startPort} ${one.cidrs.join()} ${marked(one.id) ? 'marked' : 'unmarked'}`)
      .toSorted(),
    addresses: cloud.addresses().map((address) => [address, marked(cloud.addressId(address))]),
    claims: claims.map((claim) => (claim.state === 'held' ? [claim.address, claim.origin] : claim)),
    associated: service.annotation('ip-associated-by-controller'),
  };
}
