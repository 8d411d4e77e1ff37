import assert from 'node:assert/strict';
import { once } from 'node:events';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { issueCertificate } from '@cloudstack-ccm/base';
import { readCloudConfig } from '../../cloud-config/cloud-config.ts';
import { TestCloud } from '../../testing/test-cloud.ts';
import { TestService } from '../testing/service.ts';

/** Number of the list of cases from the field. */
describe('5: keys and signatures', () => {
  it('are in no log line, event, metric or error of what fails, while the command and the host are', async () => {
    await using world = await TestCloud.start();
    const { apiKey, secretKey } = world.simulator.credentials.get('k8s') ?? {};
    assert.ok(apiKey !== undefined && secretKey !== undefined);
    // Some servers and proxies repeat the request that they refuse.
    const text = `Failed to create: GET /client/api?apikey=${encodeURIComponent(apiKey)}&signature=c2lnbmVk of ${apiKey}`;
    const service = new TestService();
    const told: string[] = [];
    const ensure = async (cloud = world.cloud): Promise<void> => {
      const nodes = world.nodes('node-1', 'node-2', 'node-3');
      await service
        .work((context, view) => cloud.loadBalancers.ensure(context, view, nodes))
        .catch((error: unknown) => told.push(inFull(error)));
    };
    const { host } = new URL(world.simulator.url);
    world.simulator.faults.add({
      command: 'createLoadBalancerRule',
      action: { kind: 'api-error', code: 530, text },
      count: 1,
    });
    await ensure();
    assert.match(told.join(), /Failed to create/);
    world.simulator.faults.add({ command: 'createLoadBalancerRule', action: { kind: 'cut-body' }, count: 1 });
    await ensure();
    assert.match(told.join(), new RegExp(`createLoadBalancerRule.*${host}|${host}.*createLoadBalancerRule`));
    await using tls = await startWithUnknownAuthority();
    const { config } = readCloudConfig(world.configText('k8s').replace(world.simulator.url, tls.url), {
      file: 'cloud-config',
    });
    await using distrustful = await TestCloud.start({ more: { config: { ...world.config('k8s'), ...config } } });
    await ensure(distrustful.cloud);
    assert.match(told.at(-1) ?? '', new RegExp(`${new URL(tls.url).host}.* failed: self-signed certificate`));
    await ensure();
    assert.equal(told.length, 3, 'it does not work in the end');

    const lines = [...world.lines, ...distrustful.lines];
    assert.ok(lines.length > 10, 'nothing was logged');
    const metrics = [world.metrics, distrustful.metrics].map(async (one) => (await one.expose()).text);
    const output = [...lines.map(inFull), ...told, service.takeMessages(), ...(await Promise.all(metrics))].join('\n');
    for (const secret of [apiKey, secretKey, encodeURIComponent(apiKey), encodeURIComponent(secretKey)])
      assert.ok(!output.includes(secret), 'a key is told');
    assert.doesNotMatch(output, /signature=(?!<redacted>)/i);
  });
});

/** Everything that somebody could print of a value: causes, own fields and stacks of errors too. */
function inFull(value: unknown): string {
  return inspect(value, { depth: Infinity, showHidden: true, maxStringLength: null, maxArrayLength: null });
}

async function startWithUnknownAuthority(): Promise<AsyncDisposable & { readonly url: string }> {
  const { key, certificate: cert } = issueCertificate({
    commonName: 'cloud',
    uses: ['server'],
    names: ['127.0.0.1'],
    notBefore: new Date(),
    notAfter: new Date(Date.now() + 3_600_000),
  });
  const server = https.createServer({ key, cert }, (_request, response) => response.end('{}'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}/client/api`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
