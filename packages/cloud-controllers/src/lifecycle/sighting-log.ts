import type { Logger } from '@cloudstack-ccm/base';

import type { Sighting, Sightings } from '../cloud.ts';

/** Logs what is odd about a node once, not in each pass. Remembers only nodes of the last pass. */
export class SightingLog {
  readonly #log: Logger;
  #former: ReadonlyMap<string, string> = new Map();

  constructor(log: Logger) {
    this.#log = log;
  }

  log({ byNode }: Sightings): void {
    const odd = new Map([...byNode].flatMap(([node, sighting]) => entryOf(node, sighting)));
    for (const [node, text] of odd) {
      if (this.#former.get(node) !== text) this.#log.warn(text, { node });
    }
    this.#former = odd;
  }
}

function entryOf(node: string, sighting: Sighting): [node: string, text: string][] {
  switch (sighting.state) {
    case 'unknown':
      return [[node, `error checking if node ${node} exists: ${sighting.reason}`]];
    case 'foreign':
      return [[node, `node ${node} belongs to another system by its provider ID: it is neither deleted nor tainted`]];
    case 'absent':
      return [[node, `the cloud does not show the machine of node ${node}`]];
    case 'running':
    case 'stopped':
    case 'gone':
      return [];
    default:
      return sighting satisfies never;
  }
}
