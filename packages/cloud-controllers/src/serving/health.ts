import { messageOf } from '@cloudstack-ccm/base';

/** One thing that has to be well. */
export interface HealthCheck {
  readonly name: string;
  /**
   * @returns what an operator should know though all is well; undefined for nothing.
   * @throws when it is not well.
   */
  check(): string | undefined | Promise<string | undefined>;
}

export interface HealthResult {
  readonly name: string;
  readonly excluded: boolean;
  readonly note: string | undefined;
  readonly failure: string | undefined;
}

/** Checks under one path. Later ones may be added while it is served. */
export class HealthChecks {
  readonly #checks: HealthCheck[] = [];

  add(...checks: readonly HealthCheck[]): void {
    this.#checks.push(...checks);
  }

  /** Runs all checks at once, without those excluded. Never rejects. */
  evaluate(excluded: ReadonlySet<string> = new Set()): Promise<readonly HealthResult[]> {
    const checks = this.#checks.length > 0 ? this.#checks : [PING];
    return Promise.all(checks.map((check) => evaluate(check, excluded.has(check.name))));
  }
}

/** What is asked when there is nothing else to ask. */
const PING: HealthCheck = { name: 'ping', check: () => undefined };

async function evaluate(check: HealthCheck, excluded: boolean): Promise<HealthResult> {
  const result = { name: check.name, excluded, note: undefined, failure: undefined };
  if (excluded) return result;
  try {
    return { ...result, note: await check.check() };
  } catch (thrown) {
    return { ...result, failure: messageOf(thrown) };
  }
}

interface HealthView {
  /** The path without its slash, for example `healthz`. */
  readonly what: string;
  readonly verbose: boolean;
  /** Excluded by the request though there is no such check. */
  readonly unknown: readonly string[];
  /** The asker may know why something failed. */
  readonly reveal: boolean;
}

/** The answer as Kubernetes components give it. */
export function describeHealth(results: readonly HealthResult[], view: HealthView): { ok: boolean; body: string } {
  const ok = results.every(({ failure }) => failure === undefined);
  if (ok && !view.verbose) return { ok, body: 'ok' };
  const lines = results.map((result) => line(result, view.reveal));
  const warnings = view.unknown.map(
    (name) => `warn: some health checks cannot be excluded: no matches for ${JSON.stringify(name)}`,
  );
  const verdict = `${view.what} check ${ok ? 'passed' : 'failed'}`;
  return { ok, body: [...lines, ...warnings, verdict, ''].join('\n') };
}

function line({ name, excluded, note, failure }: HealthResult, reveal: boolean): string {
  if (excluded) return `[+]${name} excluded: ok`;
  if (failure !== undefined) return `[-]${name} failed: ${reveal ? failure : 'reason withheld'}`;
  return `[+]${name} ok${note === undefined ? '' : `: ${note}`}`;
}
