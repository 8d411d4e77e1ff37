import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** The way out of an answer: it waits for slow readers, knows when they leave, and can be cut on purpose. */
export class Outlet {
  readonly #response: ServerResponse;
  readonly #cutAfter: number;
  #sent = 0;

  /** @param cutAfter bytes of body after which the connection breaks; below 0, not even the head gets out. */
  constructor(response: ServerResponse, cutAfter = Infinity) {
    this.#response = response;
    this.#cutAfter = cutAfter;
  }

  get closed(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }

  /** Calls back once when the answer is finished or the client has gone. */
  onClose(callback: () => void): void {
    if (this.closed) callback();
    else this.#response.once('close', callback);
  }

  /** A header that occurs several times. Before `head`. */
  header(name: string, values: readonly string[]): void {
    if (!this.closed) this.#response.setHeader(name, values);
  }

  head(status: number, headers: OutgoingHttpHeaders): void {
    if (this.#cutAfter < 0) this.destroy();
    if (this.closed) return;
    this.#response.writeHead(status, headers);
  }

  /** Sends the head now, so that a watch is known to be open before anything happens. */
  flushHead(): void {
    if (!this.closed) this.#response.flushHeaders();
  }

  /** Sends the chunks as one. Resolves when the client can take more, or has gone. */
  async write(...chunks: readonly (Buffer | string)[]): Promise<void> {
    if (this.closed) return;
    this.#response.cork();
    const accepted = chunks.map((chunk) => this.#send(chunk)).every(Boolean);
    this.#response.uncork();
    if (!accepted && !this.closed) await this.#drained();
  }

  end(body: Buffer | string = ''): void {
    if (this.closed) return;
    if (body.length > 0) this.#send(body);
    if (!this.closed) this.#response.end();
  }

  /** Breaks the connection without another word. */
  destroy(): void {
    this.#response.socket?.destroy();
    this.#response.destroy();
  }

  #send(chunk: Buffer | string): boolean {
    if (this.closed) return true;
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
    const room = this.#cutAfter - this.#sent;
    this.#sent += bytes.length;
    if (bytes.length <= room) return this.#response.write(bytes);
    this.#response.write(bytes.subarray(0, room), () => this.destroy());
    return false;
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#response.off('drain', done);
        this.#response.off('close', done);
        resolve();
      };
      this.#response.once('drain', done);
      this.#response.once('close', done);
    });
  }
}
