import type { Metrics } from '@cloudstack-ccm/base';
import type { ReadObserver } from './shared-read.ts';

/** What the inventory holds. */
export type InventoryKind = 'machines' | 'networks';

/** Measures how well the inventory spares the cloud. */
export interface InventoryMetrics {
  observer(kind: InventoryKind): ReadObserver;
  /** @param read NaN while there is nothing to tell */
  trackAge(kind: InventoryKind, read: () => number): void;
  trackSize(kind: InventoryKind, read: () => number): void;
}

export function inventoryMetrics(metrics: Metrics): InventoryMetrics {
  const reads = metrics.counter({
    name: 'cloudstack_ccm_inventory_reads_total',
    help: '[ALPHA] Readings of the shared inventory from CloudStack, by kind and result: success or failure.',
    labels: ['kind', 'result'],
  });
  const shared = metrics.counter({
    name: 'cloudstack_ccm_inventory_shared_total',
    help: '[ALPHA] Wishes that cost no call, by kind and how: joined (a reading that ran already) or kept (what was read is young enough).',
    labels: ['kind', 'how'],
  });
  const age = metrics.gauge({
    name: 'cloudstack_ccm_inventory_age_seconds',
    help: '[ALPHA] Time since the latest reading of the shared inventory began, by kind. NaN before the first.',
    labels: ['kind'],
  });
  const size = metrics.gauge({
    name: 'cloudstack_ccm_inventory_objects',
    help: '[ALPHA] Objects in the shared inventory, by kind.',
    labels: ['kind'],
  });
  return {
    observer: (kind) => ({
      served: (how) => shared.inc({ kind, how }),
      read: (result) => reads.inc({ kind, result }),
    }),
    trackAge: (kind, read) => void age.track({ kind }, read),
    trackSize: (kind, read) => void size.track({ kind }, read),
  };
}
