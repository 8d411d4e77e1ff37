import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { TestCloud } from './testing/client.ts';

/** Writes bytes, and reads until the server closes. @returns the first line of the answer. */
function speak(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    // A reset after the answer is part of what is tried here.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString().split('\r\n')[0] ?? ''));
  });
}

const CLOSE = 'Host: x\r\nConnection: close\r\n\r\n';

const MALFORMED: Readonly<Record<string, readonly [string, RegExp]>> = {
  'no HTTP': ['\x00\x01garbage\r\n\r\n', /^HTTP\/1\.1 400 /],
  'no host': ['GET /client/api HTTP/1.1\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 400 /],
  'escapes that are none': [`GET /client/api?command=%zz%&a=%c3%28 HTTP/1.1\r\n${CLOSE}`, /^HTTP\/1\.1 401 /],
  'a path that is none': [`GET //[ HTTP/1.1\r\n${CLOSE}`, /^HTTP\/1\.1 40[04] /],
  'a malformed part of a path': [`DELETE /faults/%zz HTTP/1.1\r\n${CLOSE}`, /^HTTP\/1\.1 40[04] /],
  'two lengths': [`POST /client/api HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n${CLOSE}`, / 400 /],
  'a tunnel': ['CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', /^$/],
  'a line that is too long': [`GET /client/api?a=${'a'.repeat(40_000)} HTTP/1.1\r\n${CLOSE}`, /^HTTP\/1\.1 414 |^$/],
  'cookies that are none': [
    `GET /client/api?command=listZones HTTP/1.1\r\nCookie: JSESSIONID=%zz;;=;a\r\n${CLOSE}`,
    / 401 /,
  ],
  'the prototype as a command': [`GET /client/api?command=__proto__ HTTP/1.1\r\n${CLOSE}`, /^HTTP\/1\.1 401 /],
};

describe('against whatever comes, the simulator', () => {
  for (const [name, [bytes, line]] of Object.entries(MALFORMED)) {
    it(`answers ${name}, and goes on`, { timeout: 10_000 }, async () => {
      await using cloud = await TestCloud.start({ controlPort: 0 });
      assert.match(await speak(cloud.simulator.port, bytes), line);
      const control = await speak(Number(new URL(cloud.simulator.controlUrl ?? '').port), bytes);
      assert.doesNotMatch(control, / (200|500) /);
      assert.equal((await cloud.user.list('listZones')).length, 1);
    });
  }

  it('refuses bodies without end on both ports', async () => {
    await using cloud = await TestCloud.start({ controlPort: 0 });
    const body = Buffer.alloc(3 * 1024 * 1024, 'a');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const url of [cloud.simulator.url, new URL('/faults', cloud.simulator.controlUrl)]) {
      assert.equal((await fetch(url, { method: 'POST', body, headers })).status, 400);
    }
  });

  it('survives a client that goes away in the middle of its body', async () => {
    await using cloud = await TestCloud.start();
    await new Promise<void>((resolve) => {
      const socket = connect(cloud.simulator.port, '127.0.0.1', () => {
        socket.write('POST /client/api HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\ncommand', () =>
          socket.destroy(),
        );
      });
      socket.on('close', () => resolve());
    });
    assert.equal((await cloud.user.list('listZones')).length, 1);
  });

  it('takes the last of a doubled parameter, and the query before the body', async () => {
    await using cloud = await TestCloud.start();
    const { apiKey = '' } = cloud.simulator.credentials.get('k8s') ?? {};
    const doubled = `command=listVirtualMachines&command=listZones&response=json&apiKey=${apiKey}`;
    const { status } = await fetch(`${cloud.simulator.url}?${doubled}&signature=x`);
    assert.equal(status, 401);
    assert.deepEqual(cloud.simulator.callLog.counts, { listZones: 1 });
  });

  it('lets exactly one of many equal rules win that are created at once', async () => {
    await using cloud = await TestCloud.start();
    const { user } = cloud;
    const { ipaddress } = await cloud.result(user, 'associateIpAddress', {
      networkid: cloud.id('networks', 'k8s-net'),
    });
    const { id: publicipid } = ipaddress as { readonly id: string };
    const rule = { command: 'createLoadBalancerRule', algorithm: 'source', publicport: '80', privateport: '80' };
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => user.send({ ...rule, publicipid, name: `rule-${index}` }, 'POST')),
    );
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    assert.deepEqual(statuses, [200, ...Array.from({ length: 29 }, () => 537)]);
  });

  it('gives every one of many addresses that are taken at once to one caller', async () => {
    await using cloud = await TestCloud.start();
    const networkid = cloud.id('networks', 'k8s-net');
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => cloud.user.send({ command: 'associateIpAddress', networkid })),
    );
    const ids = answers.filter(({ status }) => status === 200).map(({ text }) => /"id":"([^"]+)"/.exec(text)?.[1]);
    // One is the network's source NAT address, and the account may have twenty.
    assert.deepEqual([ids.length, new Set(ids).size], [19, 19]);
    assert.ok(answers.every(({ status }) => status === 200 || status === 532));
  });
});
