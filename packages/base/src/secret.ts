import { inspect } from 'node:util';

const REDACTED = '<redacted>';

/**
 * A value that must not be seen: API keys, secret keys, tokens. However it is printed, logged or serialised, only
 * `<redacted>` shows; the one way to the value is `reveal`, so every use can be found by name.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself. Only for the code that puts it on the wire or signs with it. */
  reveal(): string {
    return this.#value;
  }

  equals(other: Secret): boolean {
    return this.#value === other.#value;
  }

  get empty(): boolean {
    return this.#value === '';
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}
