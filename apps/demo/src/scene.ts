import { startSimulator, type CallEntry, type Simulator, type World } from '@cloudstack-ccm/cloudstack-simulator';

const ACCOUNT = 'kubernetes';
const NETWORK = 'k8s-net';

export const MACHINES = ['node-1', 'node-2', 'node-3'] as const;

/** An embedded CloudStack with one zone, one isolated network and three machines, and keys of an ordinary user. */
export class CloudScene {
  readonly simulator: Simulator;

  private constructor(simulator: Simulator) {
    this.simulator = simulator;
  }

  static async start(): Promise<CloudScene> {
    // The recorded timing: watching how long a real CloudStack takes is part of the demo.
    return new CloudScene(await startSimulator({ scene: build, timing: 'recorded' }));
  }

  /** The text of a cloud-config file for the controller. */
  get cloudConfig(): string {
    const keys = this.simulator.credentials.get(ACCOUNT);
    return [
      '[Global]',
      `api-url = ${this.simulator.url}`,
      `api-key = "${keys?.apiKey ?? ''}"`,
      `secret-key = "${keys?.secretKey ?? ''}"`,
      '',
    ].join('\n');
  }

  machineAddress(name: string): string {
    const machine = this.simulator.state.virtualMachines.find((one) => one.name === name);
    return machine?.nics[0]?.ipAddress ?? '';
  }

  /** What changed in the cloud, in words, oldest first. */
  actions(): readonly { readonly time: number; readonly text: string }[] {
    return this.simulator.writeLog.entries.map((entry) => ({ time: entry.time, text: this.#words(entry) }));
  }

  #words({ command, parameters, outcome }: CallEntry): string {
    const failed = outcome.errorText === undefined ? '' : ` — refused: ${outcome.errorText}`;
    return `${this.#sentence(command, parameters)}${failed}`;
  }

  #sentence(command: string, parameters: CallEntry['parameters']): string {
    const { id = '', publicipid = '', ipaddressid = '', virtualmachineids = '' } = parameters;
    const value = (name: string): string => parameters[name] ?? '';
    const machines = virtualmachineids.split(',').map((one) => this.#machine(one));
    switch (command) {
      case 'associateIpAddress':
        return `take public IP ${value('ipaddress') || 'of the zone'} for network ${NETWORK}`;
      case 'disassociateIpAddress':
        return `release public IP ${this.#address(id)}`;
      case 'createLoadBalancerRule':
        return `create rule ${value('name')} on ${this.#address(publicipid)}:${value('publicport')} → node port ${value('privateport')}`;
      case 'updateLoadBalancerRule':
        return `change rule ${this.#rule(id)}`;
      case 'deleteLoadBalancerRule':
        return `delete rule ${this.#rule(id)}`;
      case 'assignToLoadBalancerRule':
        return `add ${machines.join(', ')} to rule ${this.#rule(id)}`;
      case 'removeFromLoadBalancerRule':
        return `remove ${machines.join(', ')} from rule ${this.#rule(id)}`;
      case 'createFirewallRule':
        return `open ${value('protocol')} ${value('startport')} on ${this.#address(ipaddressid)} for ${value('cidrlist')}`;
      case 'deleteFirewallRule':
        return 'close a firewall opening';
      case 'createTags':
        return `mark ${value('resourcetype')} objects as this cluster's`;
      default:
        return command;
    }
  }

  #address(id: string): string {
    return this.simulator.state.publicIps.get(id)?.address ?? id;
  }

  #rule(id: string): string {
    return this.simulator.state.loadBalancerRules.get(id)?.name ?? id;
  }

  #machine(id: string): string {
    return this.simulator.state.virtualMachines.get(id)?.name ?? id;
  }
}

function build(world: World): void {
  world.account({ name: ACCOUNT });
  world.zone({ name: 'zone-a' });
  world.network({ name: NETWORK, owner: ACCOUNT, cidr: '10.1.1.0/24' });
  for (const name of MACHINES) {
    world.virtualMachine({ name, owner: ACCOUNT, networks: [NETWORK], offering: 'Medium Instance' });
  }
}
