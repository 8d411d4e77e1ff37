import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ServicePort } from '@cloudstack-ccm/cloud-controllers';
import type { Cloud } from '../testing/cloud.ts';
import { port, TestService } from '../testing/service.ts';
import { withCloud } from '../testing/with-cloud.ts';

const NODES = ['node-1', 'node-2', 'node-3'];
/** Kinds of objects that have no field for whose they are: the address and the firewall rules. */
const TAGGED_KINDS = 2;

interface Calls {
  readonly reads: number;
  readonly tags: number;
  readonly writes: number;
  readonly jobs: number;
  readonly polls: number;
}

async function callsOf(cloud: Cloud, act: () => Promise<unknown>): Promise<Calls> {
  const before = cloud.lastCall;
  await act();
  const calls = cloud.callsSince(before);
  const count = (pattern: RegExp): number => calls.filter(({ command }) => pattern.test(command)).length;
  const [reads, tags, polls] = [count(/^list/), count(/^createTags$/), count(/^queryAsyncJobResult$/)];
  const jobs = calls.filter(
    ({ command, outcome }) => outcome.jobId !== undefined && !command.startsWith('query'),
  ).length;
  return { reads, tags, polls, jobs, writes: calls.length - reads - tags - polls };
}

function service(name: string, ports: readonly ServicePort[]): TestService {
  return new TestService({ name, uid: `${name}-2222-3333-4444-555555555555`, ports });
}

describe('the calls that a load balancer may cost', () => {
  const cloud = withCloud();

  for (const ports of [1, 2, 5]) {
    const list = Array.from({ length: ports }, (_, index) => port(`${8000 + index}:${31_000 + index}`));

    it(`are within budget when it is new and has ${ports} ports`, async () => {
      const controller = cloud().controller();
      // What is shared by all Services, machines and networks, is read for the first.
      await controller.ensure(service('00000001', [port('80')]), cloud().nodes(...NODES));
      const one = service('00000002', list);
      const calls = await callsOf(cloud(), () => controller.ensure(one, cloud().nodes(...NODES)));
      const { reads, tags, writes, jobs, polls } = calls;
      assert.ok(reads <= 2, `${reads} reads`);
      assert.ok(writes <= 1 + 3 * ports, `${writes} writes`);
      assert.ok(tags <= TAGGED_KINDS, `${tags} createTags`);
      assert.equal(jobs, writes + tags, 'every write is a job');
      assert.ok(polls <= jobs + 2, `${polls} polls of ${jobs} jobs`);
    });

    it(`are three reads at most when one with ${ports} ports goes`, async () => {
      const controller = cloud().controller();
      const one = service('00000001', list);
      await controller.ensure(one, cloud().nodes(...NODES));
      const { reads, writes } = await callsOf(cloud(), async () => {
        assert.ok(await controller.get(one));
        await controller.delete(one);
      });
      assert.ok(reads <= 3, `${reads} reads`);
      assert.equal(writes, 1 + 2 * ports);
    });
  }
});
