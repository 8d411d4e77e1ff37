import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import { Gate } from './gate.ts';

test('an open gate passes everything on; a closed one breaks connections and refuses new ones', async () => {
  const server = createServer((socket) => socket.pipe(socket).on('error', () => undefined));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const gate = await Gate.before((server.address() as AddressInfo).port);

  const socket = connect(gate.port, '127.0.0.1');
  socket.write('hello');
  const [answer] = await once(socket, 'data');
  assert.equal(String(answer), 'hello');

  const broken = once(socket, 'close');
  await gate.close();
  await broken;
  await assert.rejects(once(connect(gate.port, '127.0.0.1'), 'connect'), /ECONNREFUSED/);

  await gate.open();
  const again = connect(gate.port, '127.0.0.1');
  await once(again, 'connect');
  again.destroy();
  await gate.close();
  server.close();
});
