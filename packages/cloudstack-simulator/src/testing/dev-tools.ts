import type { Fields } from './client.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Fields;
  readonly result?: Fields;
  readonly error?: { readonly message: string };
}

interface Waiting {
  readonly resolve: (result: Fields) => void;
  readonly reject: (error: Error) => void;
}

/** How long a page may take for one step. */
const STEP_MS = 30_000;

/** A page in Chromium, by the DevTools protocol. */
export class DevTools implements Disposable {
  /** What went wrong in the page's scripts. */
  readonly faults: string[] = [];
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  readonly #events = new Map<string, () => void>();
  #sent = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data)) as Message));
    socket.addEventListener('close', () => this.#end());
  }

  static async connect(url: string): Promise<DevTools> {
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true });
      socket.addEventListener('error', () => reject(new Error('Chromium refuses the DevTools connection')));
    });
    return new DevTools(socket);
  }

  async load(url: string): Promise<void> {
    await this.#send('Page.enable');
    await this.#send('Runtime.enable');
    const loaded = new Promise<void>((resolve) => this.#events.set('Page.loadEventFired', resolve));
    await this.#send('Page.navigate', { url });
    await within(loaded, `loading ${url}`);
  }

  /** The value of an expression in the page; a promise is waited for. */
  async evaluate(expression: string): Promise<unknown> {
    const parameters = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.#send('Runtime.evaluate', parameters);
    if (exceptionDetails !== undefined) throw new Error(`The page says: ${JSON.stringify(exceptionDetails)}`);
    return (result as Fields)['value'];
  }

  /** Waits until an expression holds, looking again at each change of the page. */
  async until(condition: string): Promise<void> {
    await this.evaluate(`new Promise((resolve) => {
      const look = () => { if (${condition}) { observer.disconnect(); resolve(true); } };
      const observer = new MutationObserver(look);
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      look();
    })`);
  }

  /** A picture of the whole page, as PNG. */
  async screenshot(): Promise<Buffer> {
    const { data } = await this.#send('Page.captureScreenshot', { captureBeyondViewport: true });
    return Buffer.from(String(data), 'base64');
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }

  #send(method: string, parameters: Fields = {}): Promise<Fields> {
    const id = ++this.#sent;
    const answer = new Promise<Fields>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#socket.send(JSON.stringify({ id, method, params: parameters }));
    return within(answer, method);
  }

  #receive({ id, method, params, result, error }: Message): void {
    if (method === 'Runtime.exceptionThrown') this.faults.push(JSON.stringify(params));
    if (method !== undefined) this.#events.get(method)?.();
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id !== undefined) this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(error.message));
    else waiting?.resolve(result ?? {});
  }

  #end(): void {
    for (const { reject } of this.#waiting.values()) reject(new Error('Chromium closed the DevTools connection'));
    this.#waiting.clear();
  }
}

async function within<T>(promise: Promise<T>, step: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Chromium takes too long for ${step}`)), STEP_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
