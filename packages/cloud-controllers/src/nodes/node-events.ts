import { nodeReference, type EventRecorder, type Node } from '@cloudstack-ccm/kubernetes';

import type { Notice } from '../cloud.ts';

/** The events that the node controller emits on nodes. */
export class NodeEvents {
  readonly #recorder: Pick<EventRecorder, 'event'>;

  constructor(recorder: Pick<EventRecorder, 'event'>) {
    this.#recorder = recorder;
  }

  synced(node: Node): void {
    this.#recorder.event(nodeReference(node), 'Normal', 'Synced', 'Node synced successfully');
  }

  /** The node keeps its taint and is tried again; the message says what to change. */
  initializationFailed(node: Node, message: string): void {
    this.#recorder.event(nodeReference(node), 'Warning', 'InitializationFailed', message);
  }

  notices(node: Node, notices: readonly Notice[]): void {
    for (const { type, reason, message } of notices) {
      this.#recorder.event(nodeReference(node), type, reason, message);
    }
  }
}
