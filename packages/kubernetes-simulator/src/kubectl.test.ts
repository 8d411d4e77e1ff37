import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { findOrBuild, kubectl as run } from '@cloudstack-ccm/control-plane';
import { startKubernetesSimulator, type KubernetesSimulator } from './simulator.ts';

/** Everything that a test starts: the simulator, and a real kubectl that talks to it. */
let simulator: KubernetesSimulator;
let program: string | undefined;
const folder = mkdtempSync(join(tmpdir(), 'kubectl-'));
const kubeconfig = join(folder, 'kubeconfig');

const kubectl = (args: string, input = ''): Promise<string> => run(args.split(' '), { kubeconfig, program, input });

const NODE = `
apiVersion: v1
kind: Node
metadata: { name: node-1, labels: { topology.kubernetes.io/zone: zone-a } }
spec: { providerID: 'external-cloudstack://1' }
`;

const SERVICE = `
apiVersion: v1
kind: Service
metadata: { name: web, namespace: default }
spec: { type: LoadBalancer, selector: { app: web }, ports: [{ name: http, port: 80 }] }
`;

before(async () => {
  ({ kubectl: program } = await findOrBuild());
  simulator = await startKubernetesSimulator();
  writeFileSync(kubeconfig, simulator.kubeconfig());
});

after(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('A real kubectl', () => {
  test('creates, reads and describes nodes', async () => {
    assert.match(await kubectl('apply -f -', NODE), /node\/node-1 created/);
    const [head = '', row = ''] = (await kubectl('get nodes -L topology.kubernetes.io/zone')).split('\n');
    assert.match(head, /^NAME +STATUS +ROLES +AGE +VERSION +ZONE/);
    assert.match(row, /^node-1 +Unknown +<none> .*zone-a/);
    assert.match(await kubectl('describe node node-1'), /ProviderID: +external-cloudstack:\/\/1/);
  });

  test('applies a Service twice: what is unchanged stays, what is changed is configured', async () => {
    assert.match(await kubectl('apply -f -', SERVICE), /service\/web created/);
    assert.match(await kubectl('apply -f -', SERVICE), /service\/web unchanged/);
    assert.match(await kubectl('apply -f -', SERVICE.replace('port: 80', 'port: 8080')), /service\/web configured/);
    assert.match(await kubectl('get service web'), /web +LoadBalancer +10\.96\.\d+\.\d+ +<pending> +8080:3\d+\/TCP/);
    assert.match(await kubectl('describe service web'), /Port: +http +8080\/TCP/);
    assert.match(await kubectl('apply --server-side --field-manager=other -f -', NODE), /node-1 serverside-applied/);
  });

  test('annotates, labels, patches and taints', async () => {
    await kubectl('annotate service web example.org/note=hello');
    await kubectl('label node node-1 disk=fast');
    await kubectl('taint nodes node-1 example.org/drain=true:NoSchedule');
    assert.equal(await kubectl('get service web -o jsonpath={.metadata.annotations.example\\.org/note}'), 'hello');
    assert.match(await kubectl('get nodes -l disk=fast -o name'), /^node\/node-1\n$/);
    assert.match(await kubectl('get node node-1 -o jsonpath={.spec.taints[*].key}'), /example\.org\/drain/);
    await kubectl('taint nodes node-1 example.org/drain-');
    assert.equal(await kubectl('get node node-1 -o jsonpath={.spec.taints[*].key}'), '');
  });

  test('shows events beside their object', async () => {
    const uid = await kubectl('get service web -o jsonpath={.metadata.uid}');
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'web.1', namespace: 'default' },
      involvedObject: { apiVersion: 'v1', kind: 'Service', name: 'web', namespace: 'default', uid },
      type: 'Normal',
      reason: 'EnsuredLoadBalancer',
      message: 'Ensured load balancer',
    };
    await kubectl('create -f -', JSON.stringify(event));
    assert.match(await kubectl('get events'), /EnsuredLoadBalancer +service\/web +Ensured load balancer/);
    assert.match(await kubectl('describe service web'), /Normal +EnsuredLoadBalancer .*Ensured load balancer/);
  });

  test('is told what is wrong, as by a real server', async () => {
    await assert.rejects(kubectl('get service nothing'), /\(NotFound\): services "nothing" not found/);
    const wrong = SERVICE.replace('port: 80', 'port: 0').replace('name: web', 'name: wrong');
    await assert.rejects(kubectl('apply -f -', wrong), /spec\.ports\[0\]\.port: Invalid value: 0/);
  });

  test('deletes, and waits until it is gone', async () => {
    assert.match(await kubectl('delete service web'), /service "web" deleted/);
    assert.match(await kubectl('delete node node-1'), /node "node-1" deleted/);
    assert.equal(await kubectl('get nodes,services -o name'), 'service/kubernetes\n');
  });
});
