import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { completed } from '@cloudstack-ccm/cloudstack-client';
import { Scope } from '@cloudstack-ccm/base';
import type { Cloud } from '../testing/cloud.ts';
import { port, TestService } from '../testing/service.ts';
import { inPlace, opened, openedByAcl, PLACES, type Place } from '../testing/worlds.ts';

const NODES = ['node-1', 'node-2', 'node-3'];

for (const place of PLACES) {
  describe(`the life of a Service in ${place.where}, on CloudStack ${place.version}`, () => {
    const cloud = inPlace(place);

    it('ends with nothing left, at each step all is as asked and a second pass writes nothing', async () => {
      const service = new TestService({ ports: [port('80:31080')] });
      const kept = await takenByUser(cloud());
      const steps: readonly (readonly [string, () => void, readonly number[], readonly string[]])[] = [
        ['is created', () => undefined, [80], NODES],
        ['grows', () => service.edit({ ports: [port('80:31080'), port('443:31443')] }), [80, 443], NODES],
        ['restricts sources', () => service.edit({ loadBalancerSourceRanges: ['192.0.2.0/24'] }), [80, 443], NODES],
        ['asks for PROXY', () => service.annotate({ 'proxy-protocol': 'true' }), [80, 443], NODES],
        [
          'gets another node port',
          () => service.edit({ ports: [port('80:32000'), port('443:31443')] }),
          [80, 443],
          NODES,
        ],
        ['loses a node', () => undefined, [80, 443], NODES.slice(1)],
        ['moves', () => service.edit({ loadBalancerIp: kept }), [80, 443], NODES],
        ['shrinks', () => service.edit({ ports: [port('443:31443')] }), [443], NODES],
      ];
      for (const [step, change, ports, nodes] of steps) {
        change();
        const status = await cloud()
          .controller()
          .ensure(service, cloud().nodes(...nodes));
        const [address = ''] = status.ingress.map(({ ip }) => ip ?? '');
        assert.deepEqual(
          portsOf(cloud()),
          ports.map((one) => `${address}:${one} [${nodes.join()}]`),
          step,
        );
        assertOpen(place, cloud(), { ports, restricted: service.view.loadBalancerSourceRanges }, step);
        const before = cloud().lastWrite;
        service.edit({ ingress: status.ingress });
        await cloud()
          .controller()
          .ensure(service, cloud().nodes(...nodes));
        assert.deepEqual(cloud().writesSince(before), [], step);
      }
      await cloud().controller().delete(service);
      assert.deepEqual([cloud().rules(), cloud().firewall(), openedByAcl(cloud())], [[], [], []]);
      assert.deepEqual(cloud().addresses(), [kept], 'the address of the user was not his any more, or one leaked');
      assert.equal(await cloud().controller().get(service), undefined);
    });
  });
}

/** Just these ports are open, for just these sources, by just what opens ports there. */
function assertOpen(
  { access }: Place,
  cloud: Cloud,
  asked: { readonly ports: readonly number[]; readonly restricted: readonly string[] },
  step: string,
): void {
  const sources = asked.restricted.length > 0 ? asked.restricted.join() : '0.0.0.0/0';
  assert.deepEqual(opened(cloud), asked.ports.map((one) => `${one} ${sources}`).toSorted(), step);
  assert.deepEqual(access === 'acl' ? cloud.firewall() : openedByAcl(cloud), [], step);
}

async function takenByUser(cloud: Cloud): Promise<string> {
  using scope = Scope.root();
  const network = cloud.simulator.state.networks.find(({ name }) => name.startsWith('net-'));
  assert.ok(network);
  const { vpcId, id } = network;
  const where = vpcId === undefined ? { networkId: id } : { vpcId };
  return (await completed(scope, cloud.client.associateIpAddress(scope, where))).ipAddress;
}

function portsOf(cloud: Cloud): readonly string[] {
  return cloud
    .rules()
    .map((rule) => rule.replace(/^\S+ (\S+) .*(\[.*\]).*$/, '$1 $2'))
    .toSorted((one, other) => Number(/:(\d+)/.exec(one)?.[1]) - Number(/:(\d+)/.exec(other)?.[1]));
}
