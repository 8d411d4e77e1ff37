import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '@cloudstack-ccm/control-plane';

const SIGNATURE = /signature=([^&\s]+)/gi;

/** A door in front of a TCP server. Closed, it breaks all connections and refuses new ones, as a machine that is down. */
export class Gate {
  readonly port: number;
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  /** Signatures in the requests that came through, as they were on the wire. */
  readonly signatures = new Set<string>();
  #server: Server | undefined;

  private constructor(port: number, target: number) {
    this.port = port;
    this.#target = target;
  }

  /** An open gate in front of that port of the loopback address. */
  static async before(target: number): Promise<Gate> {
    const gate = new Gate(await freePort(), target);
    await gate.open();
    return gate;
  }

  async open(): Promise<void> {
    if (this.#server) return;
    this.#server = createServer((socket) => this.#pass(socket));
    await once(this.#server.listen(this.port, '127.0.0.1'), 'listening');
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #pass(from: Socket): void {
    const to = connect(this.#target, '127.0.0.1');
    from.on('data', (bytes: Buffer) => {
      for (const [, signature = ''] of bytes.toString('latin1').matchAll(SIGNATURE)) this.signatures.add(signature);
    });
    for (const [socket, other] of [
      [from, to],
      [to, from],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}
