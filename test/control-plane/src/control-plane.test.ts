import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { request } from 'node:https';
import { ApiClient } from './api-client.ts';
import { ControlPlane } from './control-plane.ts';
import { ApiRequestError, ControlPlaneError } from './errors.ts';
import { freePort } from './free-port.ts';
import { kubeconfig } from './kubeconfig.ts';
import { user } from './users.ts';

const jane = user('jane', ['developers']);
let plane: ControlPlane;

before(async () => {
  plane = await ControlPlane.start({ users: [jane] });
});
after(() => plane.stop());

const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

test('the system namespaces are there as soon as it is started', async () => {
  const other = await ControlPlane.start();
  try {
    const list = await other.client.get('/api/v1/namespaces');
    const names = (list as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name);
    assert.deepEqual(names.sort(), ['default', 'kube-node-lease', 'kube-public', 'kube-system']);
    assert.notEqual(other.url, plane.url);
  } finally {
    await other.stop();
  }
});

test('a port that somebody else has taken meanwhile is left to them', async () => {
  const taken = Number(new URL(plane.url).port);
  let asked = 0;
  await using other = await ControlPlane.start({
    // The third is that of kube-apiserver.
    freePort: async () => (++asked === 3 ? taken : await freePort()),
  });
  assert.equal(asked, 6);
  assert.notEqual(other.url, plane.url);
});

test('the administrator may do everything, others only what RBAC grants them', async () => {
  using asJane = new ApiClient(plane.connection(jane));
  await plane.client.create(CONFIG_MAPS, configMap('one'));
  assert.equal((await asJane.request('GET', `${CONFIG_MAPS}/one`)).status, 403);
  await plane.kubectl(['create', 'clusterrole', 'reader', '--verb=get', '--resource=configmaps']);
  await plane.kubectl(['create', 'clusterrolebinding', 'developers', '--clusterrole=reader', '--group=developers']);
  await granted(asJane);
  assert.equal((await asJane.request('DELETE', `${CONFIG_MAPS}/one`)).status, 403);
});

/** RBAC objects take effect a moment after they are stored. */
async function granted(client: ApiClient): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if ((await client.request('GET', `${CONFIG_MAPS}/one`)).status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail('the role binding did not take effect');
}

test('the controller is known by its service account and groups', async () => {
  using asController = new ApiClient(plane.connection(plane.controller));
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const answer = await asController.create('/apis/authentication.k8s.io/v1/selfsubjectreviews', review);
  assert.deepEqual((answer as { status: { userInfo: unknown } }).status.userInfo, {
    username: 'system:serviceaccount:kube-system:cloud-controller-manager',
    uid: 'system:serviceaccount:kube-system:cloud-controller-manager',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
  });
});

test('nobody gets in without a token, or with a wrong one', async () => {
  using anonymous = new ApiClient({ url: plane.url, ca: plane.ca });
  assert.equal((await anonymous.request('GET', '/api/v1/nodes')).status, 401);
  using wrong = new ApiClient(plane.connection(user('admin', ['system:masters'])));
  await assert.rejects(wrong.get('/api/v1/nodes'), (error) => error instanceof ApiRequestError && error.status === 401);
});

test('a kubeconfig file works, by token and by client certificate', async () => {
  assert.match(await plane.kubectl(['auth', 'whoami']), /Username +admin\n/);
  const credentials = plane.authority.client('carol', ['system:masters']);
  const path = join(dirname(plane.kubeconfigFile()), 'carol');
  writeFileSync(path, kubeconfig({ url: plane.url, ca: plane.ca, userName: 'carol', credentials }));
  assert.match(await plane.kubectl(['--kubeconfig', path, 'auth', 'whoami']), /Username +carol\n/);
});

test('data outlives a restart of kube-apiserver, and watches from before it expire', async () => {
  const created = await plane.client.create(CONFIG_MAPS, configMap('kept'));
  const { resourceVersion } = (created as { metadata: { resourceVersion: string } }).metadata;
  await plane.client.create(CONFIG_MAPS, configMap('later'));
  await plane.stopApiServer();
  await assert.rejects(plane.client.request('GET', '/readyz'), /ECONNREFUSED|ECONNRESET|socket hang up/);
  await plane.startApiServer();
  assert.ok(await plane.client.get(`${CONFIG_MAPS}/kept`));
  assert.match(await firstWatchLine(`${CONFIG_MAPS}?watch=1&resourceVersion=${resourceVersion}`), /"code":410/);
});

function firstWatchLine(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { url, ca, token } = plane.connection();
    const headers = { authorization: `Bearer ${token.reveal()}` };
    const sent = request(new URL(path, url), { ca, headers, agent: false }, (response) => {
      response.once('data', (chunk: Buffer) => {
        resolve(chunk.toString());
        sent.destroy();
      });
    });
    sent.once('error', reject);
    sent.end();
  });
}

test('a kube-apiserver that cannot start is an error that shows what it said, and leaves nothing behind', async () => {
  const folders = () =>
    readdirSync(dirname(dirname(plane.kubeconfigFile()))).filter((name) => name.startsWith('control-plane-'));
  const before = folders();
  await assert.rejects(
    ControlPlane.start({ apiServerFlags: ['--no-such-flag'] }),
    (error) =>
      error instanceof ControlPlaneError &&
      error.message.startsWith('kube-apiserver ended by itself with exit code 1') &&
      error.output.includes('unknown flag: --no-such-flag'),
  );
  assert.deepEqual(folders(), before);
});

test('stopping ends both programs, removes the data, and may be repeated', async () => {
  const other = await ControlPlane.start();
  const folder = dirname(other.kubeconfigFile());
  await other.stop();
  await other.stop();
  assert.equal(existsSync(folder), false);
  await assert.rejects(new ApiClient(other.connection()).request('GET', '/readyz'), /ECONNREFUSED/);
});
