import type { Scope } from '@cloudstack-ccm/base';
import {
  LeadershipLostError,
  type DeleteOptions,
  type KubernetesObject,
  type ObjectName,
  type Patch,
  type ResourceClient,
} from '@cloudstack-ccm/kubernetes';

/** True while no other replica can have become the leader. */
export type MayWrite = () => boolean;

/** The changes a controller makes to objects of one kind; each asks first whether this process still leads. */
export class FencedResource<T extends KubernetesObject> {
  readonly #client: ResourceClient<T>;
  readonly #mayWrite: MayWrite;

  constructor(client: ResourceClient<T>, mayWrite: MayWrite) {
    this.#client = client;
    this.#mayWrite = mayWrite;
  }

  get(scope: Scope, name: ObjectName): Promise<T> {
    return this.#client.get(scope, name);
  }

  async patch(scope: Scope, name: ObjectName, patch: Patch): Promise<T> {
    this.#check(name);
    return this.#client.patch(scope, name, patch);
  }

  async patchStatus(scope: Scope, name: ObjectName, patch: Patch): Promise<T> {
    this.#check(name);
    return this.#client.patchStatus(scope, name, patch);
  }

  async delete(scope: Scope, name: ObjectName, preconditions: DeleteOptions): Promise<void> {
    this.#check(name);
    return this.#client.delete(scope, name, preconditions);
  }

  /** @throws LeadershipLostError */
  #check({ namespace, name }: ObjectName): void {
    if (this.#mayWrite()) return;
    const what = `${this.#client.kind.kind} ${namespace ? `${namespace}/` : ''}${name}`;
    throw new LeadershipLostError(`${what} was not written: another replica may lead by now`);
  }
}
