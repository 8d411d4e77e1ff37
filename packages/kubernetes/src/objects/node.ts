import type { Reader } from '../decode.ts';
import { kind, optional } from './kind.ts';
import { Shared } from './shared.ts';
import type { KubernetesObject } from './metadata.ts';

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  /** RFC 3339; kept so that a taint list can be written back whole. */
  readonly timeAdded?: string;
}

export interface NodeAddress {
  readonly type: string;
  readonly address: string;
}

export interface NodeCondition {
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
}

/** The fields of a Node that the controllers read. */
export interface Node extends KubernetesObject {
  readonly spec: {
    readonly providerID: string;
    readonly unschedulable: boolean;
    readonly taints: readonly Taint[];
  };
  readonly status: {
    readonly addresses: readonly NodeAddress[];
    readonly conditions: readonly NodeCondition[];
  };
}

export const NODES = kind<Node>(
  { apiVersion: 'v1', kind: 'Node', plural: 'nodes', namespaced: false, unread: ['images'] },
  readNode,
);

function readNode(node: Reader, metadata: Node['metadata']): Node {
  const spec = node.object('spec');
  const status = node.object('status');
  return {
    metadata,
    spec: {
      providerID: spec.string('providerID'),
      unschedulable: spec.boolean('unschedulable'),
      taints: spec.list('taints', readTaint),
    },
    status: {
      addresses: status.list('addresses', (item) => ({ type: item.string('type'), address: item.string('address') })),
      conditions: status.list('conditions', readCondition),
    },
  };
}

const conditions = new Shared<NodeCondition>();

function readCondition(condition: Reader): NodeCondition {
  const type = condition.string('type');
  const status = condition.string('status');
  return conditions.of(`${type} ${status}`, () => ({ type, status }));
}

function readTaint(taint: Reader): Taint {
  return {
    key: taint.string('key'),
    ...optional('value', taint.optionalString('value')),
    effect: taint.string('effect'),
    ...optional('timeAdded', taint.optionalString('timeAdded')),
  };
}
