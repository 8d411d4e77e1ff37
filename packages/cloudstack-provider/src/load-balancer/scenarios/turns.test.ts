import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Decorator } from '@cloudstack-ccm/cloudstack-client';
import { TestService } from '../testing/service.ts';
import { withCloud } from '../testing/with-cloud.ts';

/** Holds back every call of one command until it is opened. */
function gate(command: string): { readonly decorator: Decorator; readonly held: () => number; open(): void } {
  let open = (): void => undefined;
  let held = 0;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const decorator: Decorator = (next) => async (scope, call) => {
    if (call.command === command) {
      held++;
      await opened;
    }
    return next(scope, call);
  };
  return { decorator, held: () => held, open: () => open() };
}

const service = (name: string): TestService => new TestService({ name, uid: `uid-${name}` });

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('a Service of a network in which two are at work', () => {
  const cloud = withCloud();

  it('lets others go ahead, and comes back when its turn has come', { timeout: 20_000 }, async () => {
    const associations = gate('associateIpAddress');
    const controller = cloud().controller({ decorators: [associations.decorator] });
    const nodes = cloud().nodes('node-1');
    const first = [service('a'), service('b')];
    const third = service('c');
    const start = cloud().lastCall;
    const working = first.map((one) => controller.ensure(one, nodes));
    await until(() => associations.held() === 1);
    const waiting = controller.ensure(third, nodes);
    await until(() => third.steps.length === 1);
    assert.deepEqual(third.steps, ['aside']);
    assert.equal(
      cloud()
        .callsSince(start)
        .filter(({ command }) => command === 'listLoadBalancerRules').length,
      2,
    );
    associations.open();
    await Promise.all([...working, waiting]);
    assert.deepEqual([first[0]?.steps, first[1]?.steps, third.steps], [[], [], ['aside', 'back']]);
  });

  it('looks again at its rules when its turn has come', { timeout: 20_000 }, async () => {
    const associations = gate('associateIpAddress');
    const controller = cloud().controller({ decorators: [associations.decorator], random: () => 0.5 });
    const nodes = cloud().nodes('node-1', 'node-2');
    const third = service('c');
    await cloud().controller().ensure(third, nodes);
    const working = [service('a'), service('b')].map((one) => controller.ensure(one, nodes));
    await until(() => associations.held() === 1);
    third.edit({ loadBalancerSourceRanges: ['192.0.2.0/24'] });
    const waiting = controller.ensure(third, nodes);
    await until(() => third.steps.length === 1);
    await cloud().controller().delete(third);
    associations.open();
    await Promise.all([...working, waiting]);
    assert.equal(cloud().rules().length, 3);
  });
});
