import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

/** The HTTP requests of this process that wait for their answers. Watches do not count: they wait for ever. */
export class OpenRequests {
  readonly #open = new Set<ClientRequest>();
  #begun = 0;

  constructor() {
    // Also those of client code that knows nothing of this test.
    subscribe('http.client.request.start', (message) => this.#note((message as { request: ClientRequest }).request));
  }

  /** Those that still may be answered without time passing. */
  get size(): number {
    return this.#open.size;
  }

  /** Grows with each request: tells that something has gone on. */
  get begun(): number {
    return this.#begun;
  }

  /** Nobody answers those that are open now: they no longer count. */
  giveUp(): void {
    this.#open.clear();
  }

  #note(request: ClientRequest): void {
    this.#begun++;
    if (request.path.includes('watch=')) return;
    this.#open.add(request);
    request.once('close', () => this.#open.delete(request));
  }
}
