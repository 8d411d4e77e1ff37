/** The longest value that Kubernetes allows for a label. */
const LONGEST = 63;

const VALID = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/**
 * A zone or region as a label value: unchanged if it is one, otherwise the nearest one. The same name always gives the
 * same value. Empty if nothing of the name is left.
 */
export function labelValue(name: string): string {
  if (name.length <= LONGEST && VALID.test(name)) return name;
  return name
    .replaceAll(/[^-A-Za-z0-9_.]/gu, '_')
    .slice(0, LONGEST)
    .replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '');
}

/** A service offering's name as the Go CCM makes a label of it: node selectors of users depend on the value. */
export function instanceType(offering: string): string {
  return offering.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, LONGEST);
}

const PREFIX = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** True for what Kubernetes takes as the key of a label: a name, after a DNS name and a slash if one likes. */
export function isLabelKey(key: string): boolean {
  const [name = '', prefix, ...more] = key.split('/').toReversed();
  if (more.length > 0 || name.length > LONGEST || !VALID.test(name)) return false;
  return prefix === undefined || (prefix.length <= 253 && PREFIX.test(prefix));
}
