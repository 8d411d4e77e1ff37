import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { after, before, describe, test } from 'node:test';

import { Scope, silentLogger } from '@cloudstack-ccm/base';
import { CertificateAuthority } from '@cloudstack-ccm/control-plane';
import { KubernetesClient, loadKubeconfig } from '@cloudstack-ccm/kubernetes';

import { ServingError } from '../errors.ts';
import { readCommandLine } from '../options/options.ts';
import { TestCluster, until } from '../testing/cluster.ts';
import { AuthenticationConfig } from './authentication-config.ts';

const CONFIG_MAP = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.start();
  // The API server publishes it a little after it is ready.
  await until(async () => (await cluster.plane.client.get(CONFIG_MAP)) !== undefined, 'the ConfigMap is there');
});
after(() => cluster[Symbol.asyncDispose]());

async function clientOf(who: 'admin' | 'controller'): Promise<KubernetesClient> {
  const config = await loadKubeconfig({ kubeconfig: cluster.plane.kubeconfigFile(cluster.plane[who]) });
  return new KubernetesClient({ config, userAgent: 'test', qps: -1 });
}

async function started(
  scope: Scope,
  who: 'admin' | 'controller' | 'nobody',
  ...flags: string[]
): Promise<AuthenticationConfig> {
  const { authentication } = readCommandLine(flags).options;
  const config = new AuthenticationConfig(authentication, silentLogger);
  const client = who === 'nobody' ? undefined : await clientOf(who);
  scope.onCancel(() => client?.close());
  await config.start(scope, client);
  return config;
}

const jane = (authority: CertificateAuthority) => new X509Certificate(authority.client('jane', []).certificate);

describe('Whom the endpoint believes', () => {
  test('is what a real API server publishes, and follows its changes', async () => {
    const scope = Scope.root();
    const config = await started(scope, 'admin');
    assert.equal(config.trust.clients.signed(jane(cluster.plane.authority)), true);
    assert.equal(config.trust.proxies.empty, false);
    assert.deepEqual(config.trust.userHeaders, ['x-remote-user']);
    assert.deepEqual(config.trust.extraPrefixes, ['x-remote-extra-']);

    const other = new CertificateAuthority('other');
    let changes = 0;
    config.onChange(() => changes++);
    // Added to it, as the API server itself writes the rest again.
    const data = { 'requestheader-client-ca-file': other.certificate };
    await cluster.plane.client.patch(CONFIG_MAP, { data });
    await until(() => config.trust.proxies.signed(jane(other)), 'the new authority is believed');
    assert.ok(changes > 0);
    scope.cancel();
  });

  test('is nobody when it must not be read, which is fatal unless that is tolerated', async () => {
    const scope = Scope.root();
    await assert.rejects(started(scope, 'controller'), (error) => {
      assert.ok(error instanceof ServingError);
      assert.match(error.message, /^unable to load configmap based request-header-client-ca-file: .*forbidden/);
      return true;
    });
    const config = await started(scope, 'controller', '--authentication-tolerate-lookup-failure');
    assert.equal(config.trust.clients.empty, true);
    scope.cancel();
  });

  test('is not looked up when that is switched off, or nobody can be asked', async () => {
    const scope = Scope.root();
    await started(scope, 'controller', '--authentication-skip-lookup');
    assert.equal((await started(scope, 'nobody')).trust.clients.empty, true);
    scope.cancel();
  });

  test('is what a file says in place of the cluster', async () => {
    const scope = Scope.root();
    const own = new CertificateAuthority('own');
    const path = join(tmpdir(), `authority-${process.pid}.pem`);
    writeFileSync(path, own.certificate);
    const config = await started(scope, 'admin', `--client-ca-file=${path}`);
    assert.equal(config.trust.clients.signed(jane(own)), true);
    assert.equal(config.trust.clients.signed(jane(cluster.plane.authority)), false);
    await assert.rejects(started(scope, 'nobody', '--client-ca-file=/nowhere.pem'), /unable to load client CA file/);
    scope.cancel();
  });
});
