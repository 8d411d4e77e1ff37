import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NodeView, ServiceView } from '@cloudstack-ccm/cloud-controllers';
import { LEFT_OVERS, leftOver } from '../../../../cloudstack-simulator/contract/left-overs.ts';
import { node, type Cloud } from '../testing/cloud.ts';
import { port, TestService } from '../testing/service.ts';
import { withCloud } from '../testing/with-cloud.ts';

/** As far as the API server's answers are read here. */
interface RecordedService {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly ports: readonly { readonly port: number; readonly nodePort: number; readonly protocol: string }[];
    readonly loadBalancerIP?: string;
    readonly loadBalancerSourceRanges?: readonly string[];
    readonly sessionAffinity: string;
  };
  readonly status: { readonly loadBalancer: { readonly ingress: readonly { readonly ip: string }[] } };
}

function serviceOf(recorded: unknown): TestService {
  const { metadata, spec, status } = recorded as RecordedService;
  const changes: Partial<ServiceView> = {
    name: metadata.name,
    namespace: metadata.namespace,
    uid: metadata.uid,
    annotations: metadata.annotations ?? {},
    ports: spec.ports.map((one) => port(`${one.port}/${one.protocol}:${one.nodePort}`)),
    sessionAffinity: spec.sessionAffinity,
    loadBalancerIp: spec.loadBalancerIP ?? '',
    loadBalancerSourceRanges: spec.loadBalancerSourceRanges ?? [],
    ingress: status.loadBalancer.ingress.map(({ ip }) => ({ ip })),
  };
  return new TestService(changes);
}

/** Nodes of the machines that are members now. */
function nodesOf(cloud: Cloud): readonly NodeView[] {
  const { loadBalancerRules, virtualMachines } = cloud.simulator.state;
  const members = new Set(
    [...loadBalancerRules.values()].flatMap((rule) => rule.members.map((m) => m.virtualMachineId)),
  );
  return [...members].map((id) => node(virtualMachines.get(id)?.name ?? '', id));
}

/** What traffic goes by: everything but names and marks. */
function traffic(cloud: Cloud): unknown {
  const rules = cloud.rules().map((rule) => rule.replace(/^\S+ /, ''));
  return [rules.toSorted(), cloud.firewall(), cloud.addresses()];
}

for (const name of LEFT_OVERS) {
  describe(`what a real server showed of another controller's load balancers: ${name}`, () => {
    const { services, scene } = leftOver(name);
    const cloud = withCloud({ version: '4.20', scene, account: 'ccm' });

    it('is taken over without touching traffic', async () => {
      const [before, nodes, writes] = [traffic(cloud()), nodesOf(cloud()), cloud().lastWrite];
      for (const service of services.map(serviceOf)) {
        const status = await cloud().controller().ensure(service, nodes);
        assert.equal(status.ingress[0]?.ip, service.view.ingress[0]?.ip);
        const written = cloud().lastWrite;
        await cloud().controller().ensure(service, nodes);
        assert.deepEqual(cloud().writesSince(written), [], 'nothing is left for a second sync');
      }
      assert.deepEqual(traffic(cloud()), before);
      // The Go CCM made one ACL item for two Services on one port: one of them gets its own.
      const harmless = new Set(['createTags', 'updateLoadBalancerRule', 'updateNetworkACLItem', 'createNetworkACL']);
      assert.deepEqual(
        cloud()
          .writesSince(writes)
          .filter((command) => !harmless.has(command)),
        [],
      );
    });

    it('can be changed afterwards: a port comes and goes, and a node, with all else as it was', async () => {
      const nodes = nodesOf(cloud());
      for (const service of services.map(serviceOf)) {
        await cloud().controller().ensure(service, nodes);
        const [before, { ports }] = [traffic(cloud()), service.view];
        service.edit({ ports: [...ports, port('4711:30711')] });
        const { ingress } = await cloud().controller().ensure(service, nodes);
        const added =
          cloud()
            .rules()
            .find((rule) => rule.includes(':4711 ')) ?? '';
        assert.match(added, new RegExp(` ${ingress[0]?.ip ?? '[0-9.]+'}:4711 → 30711 `));
        assert.equal(/\[(.*)\]/.exec(added)?.[1]?.split(',').length, nodes.length);
        service.edit({ ports });
        await cloud().controller().ensure(service, nodes.slice(1));
        const settled = cloud().lastWrite;
        await cloud().controller().ensure(service, nodes.slice(1));
        assert.deepEqual(cloud().writesSince(settled), []);
        await cloud().controller().ensure(service, nodes);
        assert.deepEqual(traffic(cloud()), before);
      }
    });

    it('can be removed afterwards, down to what users keep', async () => {
      const nodes = nodesOf(cloud());
      const kept: string[] = [];
      for (const service of services.map(serviceOf)) {
        await cloud().controller().ensure(service, nodes);
        if (service.annotation('keep-ip') === 'true') kept.push(service.view.ingress[0]?.ip ?? '');
        await cloud().controller().delete(service);
      }
      assert.deepEqual([cloud().rules(), cloud().firewall(), cloud().addresses()], [[], [], kept]);
    });
  });
}
