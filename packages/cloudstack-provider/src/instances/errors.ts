import { CodedError } from '@cloudstack-ccm/base';

/** A node's machine could not be found, or not used as it is. The message names the node and says why. */
export class NodeUnresolvedError extends CodedError {
  readonly code = 'NODE_UNRESOLVED';
  readonly node: string;

  constructor(node: string, reason: string) {
    super(reason);
    this.node = node;
  }
}
