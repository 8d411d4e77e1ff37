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

/** Null removes. */
export type LabelChanges = Readonly<Record<string, string | null>>;

export interface LabelInputs {
  readonly metadata: InstanceMetadata;
  /** What the node has. */
  readonly present: Labels;
  /** What we gave it before. */
  readonly applied: Labels;
  /** True lets type, zone and region replace what the node has, as at its initialisation. */
  readonly overrule: boolean;
}

export interface LabelPlan {
  readonly changes: LabelChanges;
  /** What is ours once the changes are made. */
  readonly record: Labels;
  /** One line for each label that was left out, for the log. */
  readonly warnings: readonly string[];
}

/**
 * What to change on a node's labels. A value that is not the one we gave is somebody else's and stays; one that we gave
 * follows the machine, and goes when the machine has nothing for it any more.
 */
export function planLabels({ metadata, present, applied, overrule }: LabelInputs): LabelPlan {
  const placement = placementLabels(metadata);
  const { allowed, warnings } = allowedLabels(metadata.additionalLabels);
  const changes: Record<string, string | null> = {};
  const record: Record<string, string> = {};
  for (const [key, value] of Object.entries({ ...allowed, ...placement })) {
    const current = valueOf(present, key);
    const isPlacement = Object.hasOwn(placement, key);
    const ours = current === undefined || current === valueOf(applied, key);
    if (!ours && !(isPlacement && (overrule || current === value))) {
      if (current !== value) warnings.push(`Discarding node label ${key} that is already present`);
      continue;
    }
    record[key] = value;
    if (current !== value) changes[key] = value;
  }
  for (const key of leftOver({ ...allowed, ...placement }, present, applied)) changes[key] = null;
  return { changes, record, warnings };
}

/** A tag may be called `constructor`, which every object has. */
function valueOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function allowedLabels(offered: Labels): { readonly allowed: Labels; readonly warnings: string[] } {
  const reserved = Object.keys(offered).filter((key) => RESERVED.test(key));
  return {
    allowed: Object.fromEntries(Object.entries(offered).filter(([key]) => !RESERVED.test(key))),
    warnings: reserved.map((key) => `Discarding node label ${key} that is in a reserved namespace`),
  };
}

/** Labels of ours that are wanted no more. Type, zone and region stay: an answer without them is no news. */
function leftOver(wanted: Labels, present: Labels, applied: Labels): readonly string[] {
  return Object.keys(applied).filter(
    (key) => !Object.hasOwn(wanted, key) && !RESERVED.test(key) && valueOf(present, key) === applied[key],
  );
}

/** What is missing or different among the stable names of labels, whose beta names lead. */
export function reconciledLabels(present: Labels): Labels {
  const stale = LABEL_PAIRS.filter(
    ({ beta, stable }) => Object.hasOwn(present, beta) && present[stable] !== present[beta],
  );
  return Object.fromEntries(stale.map(({ beta, stable }) => [stable, present[beta] ?? '']));
}
