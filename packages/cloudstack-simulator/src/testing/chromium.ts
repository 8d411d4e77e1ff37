import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { createInterface } from 'node:readline';
import { DevTools } from './dev-tools.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

const MISSING =
  'No Chromium was found. Install it (Debian: apt-get install chromium), or name one in CHROMIUM or CHROME_PATH.';

/** The browser's program: what CHROMIUM or CHROME_PATH names, else the first known name in PATH. */
export function findChromium(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const { CHROMIUM, CHROME_PATH, PATH = '' } = environment;
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  const places = (name: string): string[] => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name)));
  const named = [CHROMIUM, CHROME_PATH].filter((name) => name !== undefined && name !== '') as readonly string[];
  const found = (named.length > 0 ? named : NAMES).flatMap(places).find(isExecutable);
  if (found === undefined) throw new Error(MISSING);
  return found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A browser without a window, with a profile of its own that goes with it. */
export class Chromium implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #endpoint: URL;

  private constructor(process: ChildProcess, profile: string, endpoint: URL) {
    this.#process = process;
    this.#profile = profile;
    this.#endpoint = endpoint;
  }

  static async start(): Promise<Chromium> {
    const program = findChromium();
    const profile = await mkdtemp(join(tmpdir(), 'chromium-'));
    // Tests may run as root and in containers, where Chromium's own sandbox can't work.
    const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];
    const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
    const place = ['--remote-debugging-port=0', `--user-data-dir=${profile}`, '--window-size=1200,1600', 'about:blank'];
    const child = spawn(program, [...options, ...quiet, ...place], { stdio: ['ignore', 'ignore', 'pipe'] });
    return new Chromium(child, profile, await endpointOf(child));
  }

  /** Opens a page, and waits until it has loaded. */
  async open(url: string): Promise<DevTools> {
    const target = await fetch(new URL('/json/new?about:blank', this.#endpoint), { method: 'PUT' });
    const { webSocketDebuggerUrl } = (await target.json()) as { readonly webSocketDebuggerUrl: string };
    const page = await DevTools.connect(webSocketDebuggerUrl);
    await page.load(url);
    return page;
  }

  /** Ends it in order, so that none of its children still writes when the profile goes; by force if it takes long. */
  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#process;
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      const force = setTimeout(() => child.kill('SIGKILL'), 5000);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(force);
    }
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Chromium tells on its standard error where it listens. */
async function endpointOf(child: ChildProcess): Promise<URL> {
  if (!child.stderr) throw new Error('Chromium has no standard error');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    const [, url] = /^DevTools listening on (ws:\S+)/.exec(line) ?? [];
    if (url !== undefined) {
      child.stderr.resume();
      return new URL(url.replace(/^ws:/, 'http:'));
    }
    lines.push(line);
  }
  throw new Error(`Chromium ended before it listened: ${lines.slice(-5).join(' | ')}`);
}
