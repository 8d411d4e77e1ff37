import type { Bindings } from './bindings.ts';

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/;

const TOKEN = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b\d{1,3}(?:\.\d{1,3}){3}\b|\d+)/;

/** What stands before a number that counts rows inside the management server, and whose value is chance. */
const INTERNAL_ID = [
  /\brule (id ?[:=] ?)?$/i,
  /\brule: $/,
  /\bLB rule( id)? ?:$/,
  /\bIP address ID[ =]$/i,
  /\bip address id=$/i,
  /\bNetwork ID=$/,
  /"id": ?"?$/,
  /"networkofferingid": $/,
  /\bin zone $/,
  /\bin domain $/,
  /\b[dD]omain [iI]d ?= ?$/,
  /\bfor id \[$/,
  /\bvms \[$/,
  /\bjob id=$/,
  /\blimit, please retry after \[$/,
  /\bInstanceName":"[a-z]-$/i,
  /\bInstanceName":"[a-z]-\d+-$/i,
  /^PrjAcct-.*-$/,
  /^[irvs]-$/,
  /^[irvs]-\d+-$/,
];

/** The wait until the rate limit ends: it depends on the moment only. */
const MOMENT = /please retry after \[$/;

/** The uuid that a permission text gives for an account is random, outside of jobs. */
const ACCOUNT_UUID = /Account \[\{.*"uuid":"$/;

interface Options {
  /** Account uuids are true inside a job's result. */
  readonly inJob: boolean;
}

/** True if two texts say the same: words are equal, and ids, addresses and row numbers stand for each other. */
export function sameText(recorded: string, simulated: string, bindings: Bindings, { inJob }: Options): boolean {
  if (recorded === simulated && !TOKEN.test(recorded)) return true;
  const [left, right] = [recorded.split(TOKEN), simulated.split(TOKEN)];
  if (left.length !== right.length) return false;
  let before = '';
  for (const [index, part] of left.entries()) {
    const other = right[index] ?? '';
    if (index % 2 === 0 ? part !== other : !sameToken(part, other, before, bindings, inJob)) return false;
    before += part;
  }
  return true;
}

function sameToken(recorded: string, simulated: string, before: string, bindings: Bindings, inJob: boolean): boolean {
  if (UUID.test(recorded)) {
    if (!UUID.test(simulated)) return false;
    return (!inJob && ACCOUNT_UUID.test(before)) || bindings.bind('id', recorded, simulated);
  }
  if (IPV4.test(recorded)) return IPV4.test(simulated) && sameAddress(recorded, simulated, bindings);
  if (MOMENT.test(before)) return true;
  const context = INTERNAL_ID.find((pattern) => pattern.test(before));
  return context ? bindings.bind(`number ${context.source}`, recorded, simulated) : recorded === simulated;
}

function sameAddress(recorded: string, simulated: string, bindings: Bindings): boolean {
  const known = bindings.simulated('public address', recorded);
  return known === undefined ? recorded === simulated : known === simulated;
}
