import { readFile } from 'node:fs/promises';
import { type Clock, messageOf, Secret } from '@cloudstack-ccm/base';
import { KubeconfigError } from '../errors.ts';

/** Where the bearer token of a request comes from. */
export interface TokenSource {
  /** @throws KubeconfigError when there is no token to be had. */
  current(): Promise<Secret>;
  /**
   * The API server refused the token it was given last: the next `current` must not answer from memory.
   * @returns true if asking again may bring another token.
   */
  refused(): boolean;
}

export function fixedToken(token: Secret): TokenSource {
  return { current: () => Promise.resolve(token), refused: () => false };
}

/** Kubelet renews a pod's token long before it expires; a minute is client-go's bound for noticing. */
const REREAD_MS = 60_000;

/** A token in a file that is replaced from time to time. */
export class FileToken implements TokenSource {
  readonly #path: string;
  readonly #clock: Clock;
  #last: { readonly token: Secret; readonly readAt: number } | undefined;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  async current(): Promise<Secret> {
    const now = this.#clock.monotonic();
    if (this.#last && now - this.#last.readAt < REREAD_MS) return this.#last.token;
    const token = await this.#read();
    this.#last = { token, readAt: now };
    return token;
  }

  refused(): boolean {
    this.#last = undefined;
    return true;
  }

  async #read(): Promise<Secret> {
    const text = await this.#text();
    if (text === '') throw new KubeconfigError(`read empty token from file ${this.#path}`);
    return new Secret(text);
  }

  async #text(): Promise<string> {
    try {
      return (await readFile(this.#path, 'utf8')).trim();
    } catch (thrown) {
      throw new KubeconfigError(`unable to read the token file ${this.#path}: ${messageOf(thrown)}`, { cause: thrown });
    }
  }
}
