import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import type { ControllerProcess } from './world/controller-process.ts';
import { scenario } from './world/scenario.ts';
import { expose, initialise, WEB } from './world/steps.ts';
import { waitFor } from './world/wait-for.ts';
import type { World } from './world/world.ts';

/** Characters that a URL and base64 write in another way. */
const KEYS = { apiKey: 'Api+Key/of=the&tenant~0123456789', secretKey: 'Secret+Key/of=the&tenant~9876543210' };

/** A program that a signal breaks in the way of a library that names in its error the signed URL which it was given. */
const BREAKABLE = `data:text/javascript,${encodeURIComponent(`
  import http from 'node:http';
  import { syncBuiltinESMExports } from 'node:module';
  const { request } = http;
  let url = '';
  http.request = (...args) => {
    const { path = '' } = args.find((one) => typeof one === 'object') ?? {};
    if (path.includes('listVirtualMachines')) url = 'http://cloud' + path;
    return request(...args);
  };
  syncBuiltinESMExports();
  process.on('SIGUSR2', () => { throw new Error('no way to ' + url); });
`)}`;

const KINDS = ['nodes', 'services', 'events', 'configmaps', 'namespaces'];

for (const format of ['text', 'json']) {
  scenario(
    `no output of a whole run tells a key, a signature or a token: logs in ${format} at -v=10, events, objects, endpoint`,
    async (world) => {
      const flags = ['-v=10', `--logging-format=${format}`, '--leader-elect=true', '--min-resync-period=5s'];
      const cloudConfig = world.writeCloudConfig(world.cloud.config());
      const controller = await world.startController({ flags, cloudConfig, nodeArgs: ['--import', BREAKABLE] });
      await workWell(world);
      await workBadly(world);
      assert.equal((await controller.stop('SIGUSR2')).code, 2);
      assert.match(controller.output, /uncaughtException: Error: no way to http\S+listVirtualMachines/i);
      const next = await world.startController({ flags: [...flags, '--cloud-config-allow-unknown-keys'], cloudConfig });
      await waitFor('it answers', async () => assert.equal((await next.probe('/livez')).status, 200));
      assertTellsNothing(world, {
        'first controller': controller.output,
        'second controller': next.output,
        ...(await endpoint(world, next)),
        ...(await objects(world)),
        ...endings(world),
      });
    },
    { keys: KEYS },
  );
}

async function workWell(world: World): Promise<void> {
  await initialise(world);
  await expose(world);
  await world.cloud.destroyMachine('node-3');
  await world.setReady('node-3', false);
  await waitFor('the dead node is gone', async () => assert.equal((await world.nodes()).length, 2));
}

/** Everything that answers with an error, also those who repeat the request that they refuse. */
async function workBadly(world: World): Promise<void> {
  const { faults } = world.cloud.simulator;
  const url = `/client/api?apikey=${encodeURIComponent(KEYS.apiKey)}&signature=${world.cloud.signatures[0] ?? ''}`;
  const repeating = `blocked: GET ${url} of ${KEYS.apiKey} with ${KEYS.secretKey}`;
  const actions = [
    { kind: 'http', status: 503, body: `<html>${repeating}</html>`, contentType: 'text/html' },
    { kind: 'http', status: 200, body: `<html>${repeating}</html>`, contentType: 'text/html' },
    { kind: 'api-error', code: 401, text: repeating },
    { kind: 'api-error', code: 431, text: repeating },
    { kind: 'api-error', code: 530, text: repeating },
    { kind: 'cut-body' },
    { kind: 'invalid-body' },
    { kind: 'reset' },
  ] as const;
  for (const [index, action] of actions.entries()) {
    const before = world.cloud.simulator.faults.add({ action });
    await world.createService({ ...WEB, name: `bad-${index}` });
    await waitFor(`Service bad-${index} is told what is wrong`, async () => {
      assert.ok((await world.reasons(`Service bad-${index}`)).includes('SyncLoadBalancerFailed'));
    });
    faults.remove(before);
  }
  await world.cloud.goDown();
  await world.createService({ ...WEB, name: 'in-the-dark' });
  await waitFor('the Service is told that nobody answers', async () => {
    assert.ok((await world.reasons('Service in-the-dark')).includes('SyncLoadBalancerFailed'));
  });
  await world.cloud.comeBack();
}

type Outputs = Readonly<Record<string, string>>;

async function endpoint(world: World, controller: ControllerProcess): Promise<Outputs> {
  const { adminToken } = world.cluster;
  const paths = [
    '/metrics',
    '/metrics/slis',
    '/configz',
    '/healthz?verbose',
    '/readyz?verbose',
    '/livez?verbose',
    '/no',
  ];
  const answers = await Promise.all(paths.map((path) => controller.probe(path, adminToken)));
  assert.ok(
    answers.slice(0, -1).every(({ status }) => status === 200 || status === 500),
    'the endpoint tells nothing',
  );
  return Object.fromEntries(answers.map(({ body }, index) => [paths[index] ?? '', body]));
}

/** Events and annotations among them. */
async function objects(world: World): Promise<Outputs> {
  const texts = await Promise.all(KINDS.map(async (kind) => JSON.stringify(await world.client.get(`/api/v1/${kind}`))));
  const leases = JSON.stringify(await world.client.get('/apis/coordination.k8s.io/v1/leases'));
  return { ...Object.fromEntries(texts.map((text, index) => [KINDS[index] ?? '', text])), leases };
}

/** What it says when it cannot even start: wrong cloud-config, wrong flags, no API server. */
function endings(world: World): Outputs {
  const { apiKey, secretKey } = KEYS;
  const configs = {
    'unknown key': `${world.cloud.config()}unknown-key = ${secretKey}\n`,
    'no URL': `[Global]\napi-key = ${apiKey}\nsecret-key = ${secretKey}\n`,
    'not a URL': `[Global]\napi-url = ${apiKey}\napi-key = ${apiKey}\nsecret-key = ${secretKey}\n`,
    'no section': `api-key = ${apiKey}\nsecret-key = ${secretKey}\n`,
    'open quote': `[Global]\napi-key = "${apiKey}\nsecret-key = ${secretKey}\n`,
    'bad escape': `[Global]\napi-key = "${apiKey}\\x"\nsecret-key = "${secretKey}\n`,
  };
  const runs = Object.entries(configs).map(([name, text]) => {
    const cloudConfig = world.writeCloudConfig(text, 'wrong');
    return [name, runToItsEnd(world, [`--cloud-config=${cloudConfig}`])] as const;
  });
  return { ...Object.fromEntries(runs), 'wrong flag': runToItsEnd(world, ['--no-such-flag']) };
}

function runToItsEnd(world: World, flags: readonly string[]): string {
  const kubeconfig = `--kubeconfig=${world.cluster.controllerKubeconfig}`;
  const args = [world.program, kubeconfig, '--secure-port=0', '--leader-elect=false', '-v=10', ...flags];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: {}, timeout: 20_000 });
  assert.notEqual(status, 0, 'it should not have started');
  assert.ok(stdout.length + stderr.length > 0, 'it said nothing');
  return stdout + stderr;
}

function assertTellsNothing(world: World, outputs: Outputs): void {
  assert.ok(world.cloud.signatures.length > 20, 'no signatures were seen on the wire');
  const forms = [...world.cloud.secrets, ...world.cluster.secrets, ...world.cloud.signatures].flatMap(formsOf);
  for (const [name, text] of Object.entries(outputs)) {
    const told = forms.filter((form) => text.includes(form));
    const lines = text.split('\n').filter((line) => told.some((form) => line.includes(form)));
    assert.deepEqual(lines.slice(0, 3), [], `${name} tells a secret`);
    assert.doesNotMatch(text, /signature=(?!<redacted>)|bearer \w/i, `${name} tells a signed URL or a token`);
  }
}

/** In how many ways a secret can be written. */
function formsOf(secret: string): readonly string[] {
  const decoded = secret.includes('%') ? decodeURIComponent(secret) : secret;
  const plain = [secret, decoded, encodeURIComponent(decoded), JSON.stringify(decoded).slice(1, -1)];
  // Within a longer text base64 has two other beginnings.
  const encoded = ['', 'x', 'xx'].flatMap((before) => {
    const bytes = Buffer.from(before + decoded);
    return [bytes.toString('base64').slice(4, -4), bytes.toString('base64url').slice(4, -4)];
  });
  return [...new Set([...plain, ...plain.map((text) => text.toLowerCase()), ...encoded])];
}
