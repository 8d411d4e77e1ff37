import { nodeReference, type EventRecorder, type Node } from '@cloudstack-ccm/kubernetes';

import type { Notice } from '../cloud.ts';
import { Told } from '../told.ts';

/** The events that the node controller emits on nodes; a warning once for as long as it holds. */
export class NodeEvents {
  readonly #recorder: Pick<EventRecorder, 'event'>;
  readonly #told = new Told();

  constructor(recorder: Pick<EventRecorder, 'event'>) {
    this.#recorder = recorder;
  }

  synced(node: Node): void {
    this.forget(node);
    this.#recorder.event(nodeReference(node), 'Normal', 'Synced', 'Node synced successfully');
  }

  /** The node keeps its taint and is tried again; the message says what to change. */
  initializationFailed(node: Node, message: string): void {
    this.#emit(node, { type: 'Warning', reason: 'InitializationFailed', message });
  }

  notices(node: Node, notices: readonly Notice[]): void {
    for (const notice of notices) this.#emit(node, notice);
  }

  /** The node is gone, or has all that it should have: what comes now is news. */
  forget({ metadata }: Node): void {
    this.#told.forget(metadata.name);
  }

  #emit(node: Node, { type, reason, message }: Notice): void {
    const news = type === 'Normal' || this.#told.isNews(node.metadata.name, `${reason} ${message}`);
    if (news) this.#recorder.event(nodeReference(node), type, reason, message);
  }
}
