import type { Clock } from '@cloudstack-ccm/base';
import { readAnswer } from './answer.ts';
import type { Dispatch } from './call.ts';
import { hideSecrets } from './hide-secrets.ts';
import { toWire } from './params.ts';
import { signedForm } from './sign.ts';
import type { Connection } from './transport/connection.ts';
import { HttpTransport } from './transport/http-transport.ts';

const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * The connection in use, which can be replaced while calls run: those go on over the old one, later ones take the new
 * one. At the core of the client: it signs, sends and reads answers, and knows nothing of retries or limits.
 */
export class Link {
  readonly #clock: Clock;
  #connection: Connection;
  #transport: HttpTransport;
  #generation = 1;

  /** @throws InvalidInputError when the connection's URL is none */
  constructor(connection: Connection, clock: Clock) {
    this.#clock = clock;
    this.#connection = connection;
    this.#transport = new HttpTransport(connection);
  }

  /** Host and port, for messages. */
  get host(): string {
    return this.#transport.host;
  }

  get timeoutMs(): number {
    return this.#connection.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  }

  /** Counts the connections: what was learnt under two generations may be about two clouds. */
  get generation(): number {
    return this.#generation;
  }

  /** @throws InvalidInputError when the connection's URL is none; the old connection then stays in use */
  replace(connection: Connection): void {
    const old = this.#transport;
    this.#transport = new HttpTransport(connection);
    this.#connection = connection;
    this.#generation++;
    void old.close();
  }

  readonly dispatch: Dispatch = async (scope, { command, params, writes }) => {
    const transport = this.#transport;
    const { apiKey, secretKey } = this.#connection;
    const form = signedForm(command, toWire(params), this.#connection, this.#clock.now());
    const answer = await transport.send(scope, { command, method: writes ? 'POST' : 'GET', form });
    const signature = new URLSearchParams(form).get('signature') ?? '';
    const body = hideSecrets(answer.body, [apiKey.reveal(), secretKey.reveal(), signature]);
    return readAnswer({ command, host: transport.host }, { ...answer, body });
  };

  close(): Promise<void> {
    return this.#transport.close();
  }

  destroy(): void {
    this.#transport.destroy();
  }
}
