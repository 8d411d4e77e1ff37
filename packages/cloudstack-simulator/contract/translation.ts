import type { Bindings } from './bindings.ts';
import { IPV4 } from './text.ts';

const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The recorded parameters with the simulator's ids and addresses in the place of the recorded ones. */
export function translate(request: Readonly<Record<string, string>>, bindings: Bindings): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request).map(([name, value]) => [name, translateValue(name, value, request, bindings)]),
  );
}

function translateValue(
  name: string,
  value: string,
  request: Readonly<Record<string, string>>,
  bindings: Bindings,
): string {
  if (IPV4.test(value)) {
    const machine = request[name.replace(/vmip$/, 'vmid')] ?? '';
    return bindings.simulated(`address of ${machine}`, value) ?? bindings.simulated('public address', value) ?? value;
  }
  return value.replace(UUIDS, (id) => bindings.simulated('id', id) ?? id);
}
