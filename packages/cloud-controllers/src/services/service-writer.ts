import type { Scope } from '@cloudstack-ccm/base';
import {
  finalizersPatch,
  mergePatch,
  serviceStatusPatch,
  StatusError,
  type Service,
  type ServiceStatusChange,
} from '@cloudstack-ccm/kubernetes';

import { CleanupError, SyncError } from '../errors.ts';
import type { FencedResource } from '../fence.ts';
import { sameIngress } from './ingress.ts';
import { CLEANUP_FINALIZER, hasCleanupFinalizer } from './predicates.ts';

/** What the service controller writes to Services. */
export class ServiceWriter {
  readonly #services: FencedResource<Service>;

  constructor(services: FencedResource<Service>) {
    this.#services = services;
  }

  /** @throws SyncError */
  async addFinalizer(scope: Scope, service: Service): Promise<void> {
    if (hasCleanupFinalizer(service)) return;
    const { finalizers } = service.metadata;
    try {
      await this.#patchFinalizers(scope, service, [...finalizers, CLEANUP_FINALIZER]);
    } catch (thrown) {
      throw new SyncError('failed to add load balancer cleanup finalizer', thrown);
    }
  }

  /** @throws CleanupError */
  async removeFinalizer(scope: Scope, service: Service): Promise<void> {
    if (!hasCleanupFinalizer(service)) return;
    const { finalizers } = service.metadata;
    try {
      await this.#patchFinalizers(
        scope,
        service,
        finalizers.filter((finalizer) => finalizer !== CLEANUP_FINALIZER),
      );
    } catch (thrown) {
      throw new CleanupError('failed to remove load balancer cleanup finalizer', thrown);
    }
  }

  /** Writes what of the status differs, in one patch. A Service that is gone needs none. @throws SyncError */
  async setStatus(scope: Scope, service: Service, change: ServiceStatusChange): Promise<void> {
    const { ingress, conditions = [], removed = [] } = change;
    const same = !ingress || sameIngress(service.status.loadBalancer.ingress, ingress);
    if (same && conditions.length + removed.length === 0) return;
    try {
      await this.#services.patchStatus(
        scope,
        service.metadata,
        serviceStatusPatch({ ingress: same ? undefined : ingress, conditions, removed }),
      );
    } catch (thrown) {
      if (isNotFound(thrown)) return;
      throw new SyncError('failed to update load balancer status', thrown);
    }
  }

  /**
   * Sets and removes annotations. The patch names the UID, so a Service made anew under the same name gets none.
   * @throws when they are not stored; removing from a Service that is gone succeeds, whether or not it was made anew.
   */
  async annotate(scope: Scope, service: Service, changes: Readonly<Record<string, string | null>>): Promise<void> {
    const { uid } = service.metadata;
    try {
      await this.#services.patch(scope, service.metadata, mergePatch({ metadata: { uid, annotations: changes } }));
    } catch (thrown) {
      const onlyRemoves = Object.values(changes).every((value) => value === null);
      if (!(onlyRemoves && (isNotFound(thrown) || isAnother(thrown)))) throw thrown;
    }
  }

  async #patchFinalizers(scope: Scope, service: Service, next: readonly string[]): Promise<void> {
    const { metadata } = service;
    const patch = finalizersPatch(metadata.finalizers, next);
    if (patch) await this.#services.patchStatus(scope, metadata, patch);
  }
}

function isNotFound(thrown: unknown): boolean {
  return thrown instanceof StatusError && thrown.isNotFound;
}

/** The UID of a patch was not that of the object which has the name now: kube-apiserver takes that for a wish to change it. */
function isAnother(thrown: unknown): boolean {
  return (
    thrown instanceof StatusError &&
    thrown.isInvalid &&
    thrown.details.causes.some(({ field }) => field === 'metadata.uid')
  );
}
