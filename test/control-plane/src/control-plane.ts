import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Scope } from '@cloudstack-ccm/base';
import { ApiClient, type Connection } from './api-client.ts';
import type { Assets } from './assets.ts';
import { CertificateAuthority } from './certificates.ts';
import { Daemon } from './daemon.ts';
import { ControlPlaneError } from './errors.ts';
import { writeFiles } from './files.ts';
import { findOrBuild } from './find.ts';
import { apiServerFlags, etcdFlags, type Layout } from './flags.ts';
import { freePort } from './free-port.ts';
import { kubeconfig } from './kubeconfig.ts';
import { kubectl } from './kubectl.ts';
import { Leash } from './leash.ts';
import { administrator, serviceAccount, type User } from './users.ts';

export interface ControlPlaneOptions {
  /** The programs to run. Default: those of `findOrBuild`. */
  readonly assets?: Assets;
  /** Users besides the administrator and the controller's service account. */
  readonly users?: readonly User[];
  /** More flags for kube-apiserver, for example `--feature-gates=WatchList=false`. */
  readonly apiServerFlags?: readonly string[];
  /** How long kube-apiserver may take to get ready, in milliseconds. Default 60,000: it is 4 s on a quiet machine. */
  readonly readyTimeoutMs?: number;
  /** Where to listen. Default any free port. */
  readonly freePort?: () => Promise<number>;
}

/** Somebody else may take a port between the look and the start: so often other ones are tried. */
const TRIES = 3;

const SYSTEM_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** A running etcd and kube-apiserver, RBAC on, on the loopback address only. */
export class ControlPlane implements AsyncDisposable {
  /** `https://127.0.0.1:<port>`; the same for the whole life. */
  readonly url: string;
  /** PEM of the authority that signed the server's certificate, and that of client certificates. */
  readonly ca: string;
  readonly admin: User;
  /** `system:serviceaccount:kube-system:cloud-controller-manager`: it may do what RBAC objects grant it. */
  readonly controller: User;
  /** Signs client certificates for more users. */
  readonly authority: CertificateAuthority;
  /** Asks as the administrator. */
  readonly client: ApiClient;
  readonly #layout: Layout;
  readonly #leash: Leash;
  readonly #assets: Assets;
  readonly #options: ControlPlaneOptions;
  #etcd: Daemon | undefined;
  #apiServer: Daemon | undefined;

  private constructor(assets: Assets, layout: Layout, options: ControlPlaneOptions) {
    this.#assets = assets;
    this.#options = options;
    this.#layout = layout;
    this.#leash = new Leash(layout.folder);
    this.url = `https://127.0.0.1:${layout.apiPort}`;
    this.authority = new CertificateAuthority('control-plane');
    this.ca = this.authority.certificate;
    this.admin = administrator();
    this.controller = serviceAccount('kube-system', 'cloud-controller-manager');
    this.client = new ApiClient(this.connection());
  }

  /**
   * Starts a control plane and waits until it serves.
   * @throws ControlPlaneError when it does not; AssetsError, GoToolchainError or BuildError when it has no programs.
   */
  static async start(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
    const assets = options.assets ?? (await findOrBuild());
    for (let left = TRIES; ;) {
      const controlPlane = new ControlPlane(assets, await newLayout(options.freePort ?? freePort), options);
      try {
        await controlPlane.#start();
        return controlPlane;
      } catch (thrown) {
        await controlPlane.stop();
        if (!isPortTaken(thrown) || --left === 0) throw thrown;
      }
    }
  }

  /** How to reach it as that user; default the administrator. */
  connection(user: User = this.admin): Required<Connection> {
    return { url: this.url, ca: this.ca, token: user.token };
  }

  /** The text of a kubeconfig file for that user; default the administrator. */
  kubeconfig(user: User = this.admin): string {
    return kubeconfig({ url: this.url, ca: this.ca, userName: user.name, credentials: user.token });
  }

  /** Writes a kubeconfig file for that user, which lives as long as the control plane, and returns its path. */
  kubeconfigFile(user: User = this.admin): string {
    const path = join(this.#layout.folder, `kubeconfig-${user.name.replaceAll(':', '-')}`);
    writeFileSync(path, this.kubeconfig(user), { mode: 0o600 });
    return path;
  }

  /**
   * Runs kubectl as the administrator and returns what it prints.
   * @throws when there is no kubectl, or with what it says when it fails.
   */
  kubectl(args: readonly string[], input = ''): Promise<string> {
    return kubectl(args, { kubeconfig: this.kubeconfigFile(), program: this.#assets.kubectl, input });
  }

  /** Stops kube-apiserver; what it stored stays. By SIGKILL, connections break as when a machine dies. */
  async stopApiServer(signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL'): Promise<void> {
    await this.#apiServer?.stop(signal);
  }

  /** Starts kube-apiserver again at the same address with the same data, and waits until it serves. */
  async startApiServer(): Promise<void> {
    if (this.#apiServer?.alive) return;
    const { folder } = this.#layout;
    this.#apiServer = new Daemon({
      program: this.#assets.kubeApiserver,
      args: [...apiServerFlags(this.#layout), ...(this.#options.apiServerFlags ?? [])],
      logFile: join(folder, 'kube-apiserver.log'),
      leash: this.#leash,
    });
    await this.#ready(this.#apiServer);
  }

  /** Watches at older resource versions are answered with 410 afterwards, as a fresh watch cache does not know them. */
  async restartApiServer(): Promise<void> {
    await this.stopApiServer();
    await this.startApiServer();
  }

  /** The last lines that kube-apiserver printed. */
  log(lines = 20): string {
    return this.#apiServer?.tail(lines) ?? '';
  }

  /** Ends both programs and removes all data. May be called twice. */
  async stop(): Promise<void> {
    this.client[Symbol.dispose]();
    // The data is thrown away: nothing is gained by asking kindly.
    await Promise.all([this.#apiServer?.stop('SIGKILL'), this.#etcd?.stop('SIGKILL')]);
    await this.#leash.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #start(): Promise<void> {
    const { folder } = this.#layout;
    writeFiles(folder, this.authority, [this.admin, this.controller, ...(this.#options.users ?? [])]);
    this.#etcd = new Daemon({
      program: this.#assets.etcd,
      args: etcdFlags(this.#layout),
      logFile: join(folder, 'etcd.log'),
      leash: this.#leash,
    });
    await this.startApiServer();
  }

  async #ready(apiServer: Daemon): Promise<void> {
    using scope = Scope.root().withDeadline(this.#options.readyTimeoutMs ?? 60_000, 'starting kube-apiserver');
    const died = [apiServer, this.#etcd].map((daemon) => this.#deathOf(daemon, daemon === apiServer));
    try {
      await Promise.race([this.#waitUntilServing(scope), ...died]);
    } catch (thrown) {
      if (thrown instanceof ControlPlaneError) throw thrown;
      throw new ControlPlaneError('kube-apiserver did not get ready', apiServer.tail());
    } finally {
      scope.cancel();
    }
  }

  async #deathOf(daemon: Daemon | undefined, isApiServer: boolean): Promise<void> {
    const how = await daemon?.ended;
    throw new ControlPlaneError(
      `${isApiServer ? 'kube-apiserver' : 'etcd'} ended by itself with ${how}`,
      daemon?.tail() ?? '',
    );
  }

  async #waitUntilServing(scope: Scope): Promise<void> {
    while (!(await this.#serves())) await scope.sleep(50);
  }

  async #serves(): Promise<boolean> {
    try {
      if ((await this.client.request('GET', '/readyz', { timeoutMs: 1000 })).status !== 200) return false;
      const found = await Promise.all(
        SYSTEM_NAMESPACES.map((name) => this.client.request('GET', `/api/v1/namespaces/${name}`)),
      );
      return found.every(({ status }) => status === 200);
    } catch {
      return false;
    }
  }
}

async function newLayout(port: () => Promise<number>): Promise<Layout> {
  const folder = mkdtempSync(join(tmpdir(), 'control-plane-'));
  const [etcdPort, etcdPeerPort, apiPort] = await Promise.all([port(), port(), port()]);
  return { folder, etcdPort, etcdPeerPort, apiPort };
}

function isPortTaken(thrown: unknown): boolean {
  return thrown instanceof ControlPlaneError && thrown.output.includes('address already in use');
}
