import { messageOf } from '@cloudstack-ccm/base';
import { serviceReference, type EventRecorder, type EventType, type Service } from '@cloudstack-ccm/kubernetes';

import type { NodeView, Notice } from '../cloud.ts';
import { describeNodes } from './stable-nodes.ts';

/** The events that the service controller emits on Services, with the framework's reasons and texts. */
export class ServiceEvents {
  readonly #recorder: Pick<EventRecorder, 'event'>;

  constructor(recorder: Pick<EventRecorder, 'event'>) {
    this.#recorder = recorder;
  }

  ensuring(service: Service): void {
    this.#emit(service, 'Normal', 'EnsuringLoadBalancer', 'Ensuring load balancer');
  }

  ensured(service: Service): void {
    this.#emit(service, 'Normal', 'EnsuredLoadBalancer', 'Ensured load balancer');
  }

  deleting(service: Service): void {
    this.#emit(service, 'Normal', 'DeletingLoadBalancer', 'Deleting load balancer');
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
    this.#emit(service, 'Warning', 'SyncLoadBalancerFailed', `Error syncing load balancer: ${messageOf(error)}`);
  }

  deleteFailed(service: Service, error: unknown): void {
    this.#emit(service, 'Warning', 'DeleteLoadBalancerFailed', `Error deleting load balancer: ${messageOf(error)}`);
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

  #emit(service: Service, type: EventType, reason: string, message: string): void {
    this.#recorder.event(serviceReference(service), type, reason, message);
  }
}
