/** The controllers of a cloud controller manager, by the names that flags, health checks and configz use. */
export const CONTROLLER_NAMES = [
  'cloud-node-controller',
  'cloud-node-lifecycle-controller',
  'service-lb-controller',
  'node-route-controller',
] as const;

export type ControllerName = (typeof CONTROLLER_NAMES)[number];

/** The names of earlier releases, which `--controllers` still takes. */
export const CONTROLLER_ALIASES: Readonly<Record<string, ControllerName>> = {
  'cloud-node': 'cloud-node-controller',
  'cloud-node-lifecycle': 'cloud-node-lifecycle-controller',
  service: 'service-lb-controller',
  route: 'node-route-controller',
};

/** The short name: operators search their logs for `"service" is disabled`. */
export function aliasOf(name: ControllerName): string {
  return Object.entries(CONTROLLER_ALIASES).find(([, canonical]) => canonical === name)?.[0] ?? name;
}

/** Replaces aliases by canonical names and keeps dashes, order and duplicates. */
export function canonicalControllers(list: readonly string[]): readonly string[] {
  return list.map((item) => (item.startsWith('-') ? `-${canonical(item.slice(1))}` : canonical(item)));
}

function canonical(name: string): string {
  return Object.hasOwn(CONTROLLER_ALIASES, name) ? (CONTROLLER_ALIASES[name] ?? name) : name;
}

/** One message for each item of `--controllers` that names no controller, in the order of the list. */
export function unknownControllers(list: readonly string[]): readonly string[] {
  const known = new Set<string>(CONTROLLER_NAMES);
  return list
    .filter((item) => item !== '*')
    .map((item) => item.replace(/^-/, ''))
    .filter((name) => !known.has(canonical(name)))
    .map((name) => `${JSON.stringify(name)} is not in the list of known controllers`);
}

/** The first item that is the name, or the name with a dash, decides; if there is none, `*` anywhere switches it on. */
export function isControllerEnabled(name: ControllerName, list: readonly string[]): boolean {
  const first = canonicalControllers(list).find((item) => item === name || item === `-${name}`);
  return first === undefined ? list.includes('*') : first === name;
}
