/**
 * The root of every error class of this project. `code` is stable: code branches on it, documentation lists it,
 * and the message is free to change.
 */
export abstract class CodedError extends Error {
  abstract readonly code: string;

  override get name(): string {
    return this.constructor.name;
  }
}

/** Work was called off: the process is stopping, leadership was lost, or nobody waits for the result any more. */
export class CancelledError extends CodedError {
  readonly code = 'CANCELLED';
}

/** An outward call or a wait did not end in the time allowed for it. */
export class DeadlineExceededError extends CodedError {
  readonly code = 'DEADLINE_EXCEEDED';
  readonly timeoutMs: number;

  constructor(what: string, timeoutMs: number) {
    super(`${what} did not finish within ${timeoutMs / 1000} s`);
    this.timeoutMs = timeoutMs;
  }
}

/** What the user gave us is wrong. The message names the field and says what to do. */
export class InvalidInputError extends CodedError {
  readonly code: string = 'INVALID_INPUT';
}

/** Several independent things failed; none of them hides another. */
export class CombinedError extends CodedError {
  readonly code = 'COMBINED';
  readonly errors: readonly Error[];

  constructor(errors: readonly Error[]) {
    const texts = [...new Set(errors.map((error) => error.message))];
    super(texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`);
    this.errors = errors;
  }

  /** No error for none, the error itself for one, a CombinedError for several. */
  static of(errors: readonly Error[]): Error | undefined {
    return errors.length <= 1 ? errors[0] : new CombinedError(errors);
  }
}

/** Anything that was thrown, as an Error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The text of anything that was thrown, without its stack. */
export function messageOf(thrown: unknown): string {
  return asError(thrown).message;
}
