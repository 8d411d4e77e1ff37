import type { Labels } from './labels.ts';

/** On a node: the labels that this controller gave it, as JSON, to tell them from those of users. */
export const APPLIED_LABELS = 'cloudstack.apache.org/applied-labels';

/** What the annotation says; nothing where somebody made it unreadable. */
export function readAppliedLabels(annotations: Readonly<Record<string, string>>): Labels {
  try {
    const parsed: unknown = JSON.parse(annotations[APPLIED_LABELS] ?? '{}');
    if (typeof parsed !== 'object' || parsed === null) return {};
    return Object.fromEntries(Object.entries(parsed).filter(([, value]) => typeof value === 'string'));
  } catch {
    return {};
  }
}

/** The annotation, if it is to be changed. The same labels always give the same text. */
export function writeAppliedLabels(
  labels: Labels,
  annotations: Readonly<Record<string, string>>,
): Readonly<Record<string, string | null>> {
  const keys = Object.keys(labels).toSorted();
  const text =
    keys.length === 0 ? undefined : JSON.stringify(Object.fromEntries(keys.map((key) => [key, labels[key]])));
  return annotations[APPLIED_LABELS] === text ? {} : { [APPLIED_LABELS]: text ?? null };
}
