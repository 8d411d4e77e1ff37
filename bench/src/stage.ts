import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator, type Simulator, type TimingName } from '@cloudstack-ccm/cloudstack-simulator';
import { ControlPlane, findOrBuild, freePort } from '@cloudstack-ccm/control-plane';
import { ControllerProcess } from './controller-process.ts';
import { address } from './realistic-node.ts';

const ACCOUNT = 'bench';

export interface StageOptions {
  readonly networks?: number;
  /** How long CloudStack takes. Default no time. */
  readonly timing?: TimingName;
  /** Last of the zone's public addresses, which begin with 198.18.0.10. Default 198.18.7.250: five pages of free ones. */
  readonly lastAddress?: string;
}

/** So few addresses that one page lists the free ones. */
export const ONE_PAGE = '198.18.0.250';

/** A real kube-apiserver and a simulated CloudStack that has a machine for each node. */
export class Stage implements AsyncDisposable {
  readonly plane: ControlPlane;
  readonly simulator: Simulator;
  readonly #folder = mkdtempSync(join(tmpdir(), 'bench-'));

  private constructor(plane: ControlPlane, simulator: Simulator) {
    this.plane = plane;
    this.simulator = simulator;
  }

  /** @param networks the machines are spread over so many networks, `net-0`, `net-1` and so on */
  static async start(
    machines: number,
    { networks = 1, timing = 'instant', lastAddress = '198.18.7.250' }: StageOptions = {},
  ): Promise<Stage> {
    const plane = await ControlPlane.start({ assets: await findOrBuild() });
    const simulator = await startSimulator({
      timing,
      scene: (world) => {
        world.account({ name: ACCOUNT });
        world.zone({ name: 'zone-a', publicRange: ['198.18.0.10', lastAddress] });
        for (let network = 0; network < networks; network++) {
          world.network({ name: `net-${network}`, owner: ACCOUNT, cidr: '10.1.0.0/16' });
        }
        for (let index = 1; index <= machines; index++) {
          const network = `net-${index % networks}`;
          world.virtualMachine({
            name: `node-${index}`,
            owner: ACCOUNT,
            networks: [network],
            ipAddress: address(index),
          });
        }
      },
    });
    simulator.conditions.configure({ maxAccountPublicIps: 10_000 });
    return new Stage(plane, simulator);
  }

  /** The id of the machine behind a node. */
  machineId(name: string): string {
    return this.simulator.state.virtualMachines.find((machine) => machine.name === name)?.id ?? '';
  }

  async controller(flags: readonly string[] = []): Promise<ControllerProcess> {
    const keys = this.simulator.credentials.get(ACCOUNT);
    const config = join(this.#folder, 'cloud-config');
    const text = `[Global]\napi-url = ${this.simulator.url}\napi-key = ${keys?.apiKey}\nsecret-key = ${keys?.secretKey}\n`;
    writeFileSync(config, text, { mode: 0o600 });
    return new ControllerProcess([
      `--kubeconfig=${this.plane.kubeconfigFile()}`,
      `--cloud-config=${config}`,
      `--secure-port=${await freePort()}`,
      '--bind-address=127.0.0.1',
      ...flags,
    ]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.simulator.close();
    await this.plane.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
