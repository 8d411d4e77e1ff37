import { messageOf } from '@cloudstack-ccm/base';
import { keyOf, serviceReference, type EventRecorder, type EventType, type Service } from '@cloudstack-ccm/kubernetes';

import type { NodeView, Notice } from '../cloud.ts';
import { Told } from '../told.ts';
import type { Shown } from './conditions.ts';
import { describeNodes } from './stable-nodes.ts';

const SYNC_FAILED = 'Error syncing load balancer: ';
const DELETE_FAILED = 'Error deleting load balancer: ';

/**
 * The events that the service controller emits on Services, with the framework's reasons and texts. A warning is
 * emitted once for as long as it holds, and what is being done once for all tries.
 */
export class ServiceEvents {
  readonly #recorder: Pick<EventRecorder, 'event'>;
  readonly #told = new Told();

  constructor(recorder: Pick<EventRecorder, 'event'>) {
    this.#recorder = recorder;
  }

  /** A sync begins. @param shown what conditions of an earlier process say that its author knows */
  begin(service: Service, { failure, warnings }: Shown): void {
    const key = keyOf(service);
    if (!this.#told.has(key)) {
      const failures = failure === undefined ? [] : [SYNC_FAILED + failure, DELETE_FAILED + failure];
      this.#told.recall(key, [...failures, ...warnings], failure !== undefined);
    }
    this.#told.begin(key);
  }

  /** The sync went well: what it did not meet holds no longer. */
  settled(service: Service): void {
    this.#told.settled(keyOf(service));
  }

  /** The Service has changed: everything is worth telling again. */
  anew(key: string): void {
    this.#told.anew(key);
  }

  forget(key: string): void {
    this.#told.forget(key);
  }

  ensuring(service: Service): void {
    this.#try(service, 'Normal', 'EnsuringLoadBalancer', 'Ensuring load balancer');
  }

  ensured(service: Service): void {
    this.#emit(service, 'Normal', 'EnsuredLoadBalancer', 'Ensured load balancer');
  }

  deleting(service: Service): void {
    this.#try(service, 'Normal', 'DeletingLoadBalancer', 'Deleting load balancer');
  }

  deleted(service: Service): void {
    this.#emit(service, 'Normal', 'DeletedLoadBalancer', 'Deleted load balancer');
  }

  updated(service: Service): void {
    this.#emit(service, 'Normal', 'UpdatedLoadBalancer', 'Updated load balancer with new hosts');
  }

  unavailable(service: Service): void {
    const message = 'There are no available nodes for LoadBalancer';
    this.#emit(service, 'Warning', 'UnAvailableLoadBalancer', message);
  }

  syncFailed(service: Service, error: unknown): void {
    this.#told.failed(keyOf(service));
    this.#emit(service, 'Warning', 'SyncLoadBalancerFailed', SYNC_FAILED + messageOf(error));
  }

  deleteFailed(service: Service, error: unknown): void {
    this.#told.failed(keyOf(service));
    this.#emit(service, 'Warning', 'DeleteLoadBalancerFailed', DELETE_FAILED + messageOf(error));
  }

  updateFailed(service: Service, nodes: readonly NodeView[], error: unknown): void {
    const message =
      `Error updating load balancer with new hosts [${describeNodes(nodes)}] ` +
      `[node names limited, total number of nodes: ${nodes.length}], error: ${messageOf(error)}`;
    this.#emit(service, 'Warning', 'UpdateLoadBalancerFailed', message);
  }

  notice(service: Service, { type, reason, message }: Notice): void {
    this.#emit(service, type, reason, message);
  }

  /** Not again for each try of what failed. */
  #try(service: Service, type: EventType, reason: string, message: string): void {
    if (!this.#told.isFailing(keyOf(service))) this.#recorder.event(serviceReference(service), type, reason, message);
  }

  #emit(service: Service, type: EventType, reason: string, message: string): void {
    const lasts = type === 'Warning';
    if (lasts && !this.#told.isNews(keyOf(service), message)) return;
    this.#recorder.event(serviceReference(service), type, reason, message);
  }
}
