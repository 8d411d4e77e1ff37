import type { InstanceMetadata } from '../cloud.ts';
import { INSTANCE_TYPE, LABEL_PAIRS, REGION, ZONE } from './well-known.ts';

export type Labels = Readonly<Record<string, string>>;

/** Labels that Kubernetes keeps for itself. */
const RESERVED = /(^|\.)(kubernetes|k8s)\.io\//;

/** The labels that a machine's type, zone and region give, under both generations of names. */
export function placementLabels(metadata: InstanceMetadata): Labels {
  const pairs = [
    [INSTANCE_TYPE, metadata.instanceType],
    [ZONE, metadata.zone],
    [REGION, metadata.region],
  ] as const;
  const set = pairs.filter(([, value]) => value !== '');
  return Object.fromEntries(
    set.flatMap(([pair, value]) => [
      [pair.beta, value],
      [pair.stable, value],
    ]),
  );
}

export interface AdditionalLabels {
  readonly added: Labels;
  /** One line for each label that was left out, for the log. */
  readonly warnings: readonly string[];
}

/** The cloud's own labels that a node gets: none of Kubernetes', and none that the node has already. */
export function additionalLabels(offered: Labels, present: Labels): AdditionalLabels {
  const added: Record<string, string> = {};
  const warnings: string[] = [];
  for (const [key, value] of Object.entries(offered)) {
    if (RESERVED.test(key)) warnings.push(`Discarding node label ${key} that is in a reserved namespace`);
    else if (!Object.hasOwn(present, key)) added[key] = value;
    else if (present[key] !== value) warnings.push(`Discarding node label ${key} that is already present`);
  }
  return { added, warnings };
}

/** What is missing or different among the stable names of labels, whose beta names lead. */
export function reconciledLabels(present: Labels): Labels {
  const stale = LABEL_PAIRS.filter(
    ({ beta, stable }) => Object.hasOwn(present, beta) && present[stable] !== present[beta],
  );
  return Object.fromEntries(stale.map(({ beta, stable }) => [stable, present[beta] ?? '']));
}

/** What a resize or a migration changed among the placement labels. */
export function changedLabels(wanted: Labels, present: Labels): Labels {
  return Object.fromEntries(Object.entries(wanted).filter(([key, value]) => present[key] !== value));
}
