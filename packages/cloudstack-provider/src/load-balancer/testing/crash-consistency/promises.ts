import assert from 'node:assert/strict';
import { STRANGE, type World } from './world.ts';

/** What holds after each step, whatever the uninterrupted story came to: nothing of others is gone, nothing is left. */
export function assertPromises({ cloud, web, api, byHand }: World): void {
  const rules = cloud.rules();
  const addresses = cloud.addresses();
  const served = [web, api].flatMap(({ view }) => view.ingress.flatMap(({ ip }) => ip ?? []));
  assert.ok(
    rules.some((rule) => rule.startsWith(`strange ${STRANGE}:80 `)),
    'the rule of somebody else is gone',
  );
  for (const address of [...served, ...byHand]) assert.ok(addresses.includes(address), `${address} was released`);
  for (const address of served) {
    assert.ok(
      rules.some((rule) => rule.includes(` ${address}:`)),
      `${address} is shown and carries no rule`,
    );
  }
  const places = new Set(
    [web, api].flatMap(({ view }) => view.ingress.flatMap(({ ip }) => view.ports.map(({ port }) => `${ip}:${port}`))),
  );
  const surplus = rules.filter((rule) => !places.has(rule.split(' ')[1] ?? '') && !rule.startsWith('strange '));
  assert.deepEqual(surplus, [], 'a rule is left that nobody wants');
  if (web.annotation('keep-ip') === 'true') return;
  const rightful = new Set([...served, ...byHand]);
  assert.deepEqual(
    addresses.filter((address) => !rightful.has(address)),
    [],
    'an address leaks',
  );
}
