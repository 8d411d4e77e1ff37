import { messageOf } from '@cloudstack-ccm/base';
import { nodeReference, type EventRecorder, type Node } from '@cloudstack-ccm/kubernetes';

/** The events that the node lifecycle controller emits on nodes. */
export class LifecycleEvents {
  readonly #recorder: Pick<EventRecorder, 'event'>;

  constructor(recorder: Pick<EventRecorder, 'event'>) {
    this.#recorder = recorder;
  }

  deleting(node: Node): void {
    const { name } = node.metadata;
    const message = `Deleting node ${name} because it does not exist in the cloud provider`;
    this.#recorder.event(nodeReference(node), 'Normal', 'DeletingNode', message);
  }

  deletingFailed(node: Node, error: unknown): void {
    const message = `Failed deleting node ${node.metadata.name}: ${messageOf(error)}`;
    this.#recorder.event(nodeReference(node), 'Warning', 'DeletingNodeFailed', message);
  }

  /** Told on one of the nodes whose deletion is held; the message names them all. */
  deletionHeld(node: Node, message: string): void {
    this.#recorder.event(nodeReference(node), 'Warning', 'DeletionHeld', message);
  }
}
