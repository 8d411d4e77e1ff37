import {
  startKubernetesSimulator,
  type JsonObject,
  type KubernetesSimulator,
} from '@cloudstack-ccm/kubernetes-simulator';
import type { Chance } from './chance.ts';
import type { Machine } from './machines.ts';
import type { StoryTime } from './story-time.ts';

/** A Node object, read anew each time. */
export interface NodeNow {
  readonly name: string;
  readonly uid: string;
  readonly providerId: string;
  readonly ready: boolean;
  readonly taints: readonly string[];
}

export const UNINITIALIZED = 'node.cloudprovider.kubernetes.io/uninitialized';
export const SHUTDOWN = 'node.cloudprovider.kubernetes.io/shutdown';

/** The Kubernetes API of one history, and the kubelets that write to it. */
export class Nodes implements AsyncDisposable {
  readonly simulator: KubernetesSimulator;
  /** The machine whose kubelet made the Node object, by the object's UID. */
  readonly #machines = new Map<string, Machine>();

  readonly #time: StoryTime;
  /** UIDs of those that are not ready, and when each was so last. */
  readonly #silent = new Set<string>();
  readonly #lastSilent = new Map<string, number>();

  private constructor(simulator: KubernetesSimulator, time: StoryTime) {
    this.simulator = simulator;
    this.#time = time;
  }

  static async start(chance: Chance, time: StoryTime): Promise<Nodes> {
    return new Nodes(await startKubernetesSimulator({ clock: time, random: chance.next }), time);
  }

  list(): readonly NodeNow[] {
    return this.simulator.objects.list('nodes').map(nodeNow);
  }

  get(name: string): NodeNow | undefined {
    const object = this.simulator.objects.get({ resource: 'nodes', name });
    return object && nodeNow(object);
  }

  /** What a kubelet does that starts on a machine: it makes its Node object, or takes over the one of its name. */
  join(machine: Machine, providerId = ''): void {
    const name = machine.name.toLowerCase();
    if (this.get(name)) return this.setReady(name, true);
    const node = nodeNow(
      this.simulator.objects.create({
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name },
        spec: {
          ...(providerId !== '' && { providerID: providerId }),
          taints: [{ key: UNINITIALIZED, value: 'true', effect: 'NoSchedule' }],
        },
        status: { conditions: [condition(true)] },
      }),
    );
    this.#machines.set(node.uid, machine);
    this.setReady(name, true);
  }

  /** A node of another system, which this cloud knows nothing of. */
  joinForeign(name: string): void {
    const providerID = `kind://docker/kind/${name}`;
    this.simulator.objects.create({ apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: { providerID } });
    this.setReady(name, false);
  }

  setReady(name: string, ready: boolean): void {
    const node = this.get(name);
    if (!node) return;
    if (!ready || !node.ready) this.#lastSilent.set(node.uid, this.#time.now());
    if (ready) this.#silent.delete(node.uid);
    else this.#silent.add(node.uid);
    this.#patch(name, { status: { conditions: [condition(ready)] } });
  }

  /** True if it was not ready within the last minute: a decision may be older than what it is judged by. */
  wasSilentLately(uid: string): boolean {
    return this.#silent.has(uid) || this.#time.now() - (this.#lastSilent.get(uid) ?? 0) < 60_000;
  }

  confirmDeletion(name: string, annotation: string): void {
    this.#patch(name, { metadata: { annotations: { [annotation]: 'true' } } });
  }

  remove(name: string): void {
    if (this.get(name)) this.simulator.objects.delete({ resource: 'nodes', name });
  }

  /** The machine that made the Node object. */
  machineOf(uid: string): Machine | undefined {
    return this.#machines.get(uid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.simulator.close();
  }

  #patch(name: string, patch: JsonObject): void {
    if (this.get(name)) this.simulator.objects.patch({ resource: 'nodes', name }, patch);
  }
}

function condition(ready: boolean): JsonObject {
  return { type: 'Ready', status: ready ? 'True' : 'Unknown', reason: 'Kubelet', message: '' };
}

interface NodeShape {
  readonly metadata: { readonly name: string; readonly uid: string };
  readonly spec?: { readonly providerID?: string; readonly taints?: readonly { readonly key: string }[] };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

function nodeNow(object: JsonObject): NodeNow {
  const { metadata, spec, status } = object as unknown as NodeShape;
  return {
    name: metadata.name,
    uid: metadata.uid,
    providerId: spec?.providerID ?? '',
    ready: (status?.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'True'),
    taints: (spec?.taints ?? []).map(({ key }) => key),
  };
}
