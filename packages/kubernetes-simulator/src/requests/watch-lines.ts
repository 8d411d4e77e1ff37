import { expired } from '../errors.ts';
import type { WatchFault } from '../faults/fault.ts';
import type { Outlet } from '../http/outlet.ts';
import type { JsonObject } from '../json.ts';

/** The lines of a watch on their way out, and what is to go wrong with them. */
export class WatchLines {
  readonly #outlet: Outlet;
  readonly #fault: WatchFault | undefined;
  #sent = 0;
  #over = false;

  constructor(outlet: Outlet, fault: WatchFault | undefined) {
    this.#outlet = outlet;
    this.#fault = fault;
  }

  /** True once nothing more will be sent. */
  get over(): boolean {
    return this.#over || this.#outlet.closed;
  }

  /** Sends `{"type":…,"object":` + head + rest + `}`. */
  async event(type: string, head: string, rest: Buffer | string): Promise<void> {
    if (this.over) return;
    const { ending, afterLines } = this.#fault ?? { ending: 'end', afterLines: Infinity };
    if (this.#sent++ < afterLines) return this.#outlet.write(`{"type":"${type}","object":${head}`, rest, '}\n');
    if (ending === 'silence') return;
    this.#over = true;
    if (ending === 'cutLine')
      await this.#outlet.write(`{"type":"${type}","object":${head}`, rest.slice(0, rest.length >> 1));
    if (ending === 'expire') return this.#error(expired('The resourceVersion for the provided watch is too old.').body);
    if (ending !== 'end') this.#outlet.destroy();
  }

  /** Tells what is wrong and sends nothing after it. */
  async fail(status: JsonObject): Promise<void> {
    if (this.over) return;
    this.#over = true;
    await this.#error(status);
  }

  async #error(status: JsonObject): Promise<void> {
    await this.#outlet.write(`{"type":"ERROR","object":${JSON.stringify(status)}}\n`);
  }
}
