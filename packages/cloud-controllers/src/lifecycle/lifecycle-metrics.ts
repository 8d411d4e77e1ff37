import type { Metrics } from '@cloudstack-ccm/base';

import type { Sighting } from '../cloud.ts';
import type { HoldReason } from './deletion-guard.ts';
import type { HeldDeletions } from './held-deletions.ts';

const REASONS: readonly HoldReason[] = ['no-witness', 'too-many'];
const STATES: readonly Sighting['state'][] = ['running', 'stopped', 'gone', 'absent', 'foreign', 'unknown'];

/** What an alert on the deletion guard needs. Every series exists from the start, so that an alert never lacks one. */
export class LifecycleMetrics {
  readonly #held;
  readonly #suspects;
  readonly #deletions;

  constructor(metrics: Metrics) {
    this.#held = metrics.gauge({
      name: 'node_lifecycle_controller_held_deletions',
      help: '[ALPHA] Nodes whose deletion is held until a witness is seen or a person confirms it, by reason.',
      labels: ['reason'],
    });
    this.#suspects = metrics.gauge({
      name: 'node_lifecycle_controller_suspect_nodes',
      help: '[ALPHA] Nodes that are not ready, by what the last pass saw of their machines.',
      labels: ['state'],
    });
    this.#deletions = metrics.counter({
      name: 'node_lifecycle_controller_deletions_total',
      help: '[ALPHA] Nodes deleted because their machines are gone, by proof.',
      labels: ['proof'],
    });
    this.showHeld(undefined);
    this.showSightings([]);
  }

  showHeld(held: HeldDeletions | undefined): void {
    for (const reason of REASONS) {
      this.#held.set(held?.reason === reason ? held.nodes.length : 0, { reason });
    }
  }

  showSightings(sightings: readonly Sighting[]): void {
    for (const state of STATES) {
      this.#suspects.set(sightings.filter((sighting) => sighting.state === state).length, { state });
    }
  }

  deleted(proof: 'gone' | 'absent' | 'confirmed'): void {
    this.#deletions.inc({ proof });
  }
}
