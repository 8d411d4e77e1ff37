import { CloudStackApiError, JobInterruptedError, type RuleMembers } from '@cloudstack-ccm/cloudstack-client';
import { MembersRefusedError } from '../errors.ts';
import type { Member } from '../members/members.ts';
import { finished, type Sending } from './sending.ts';

/** So many refusals without a single success mean that the router refuses, not a machine. */
const HOPELESS = 16;

/**
 * Adds members. One bad machine makes CloudStack refuse all that are sent with it, without a word which it is: then
 * the list is halved until the bad ones stand alone.
 * @throws MembersRefusedError when some, but not all, could be added; else the error itself
 */
export async function addMembers(sending: Sending, ruleId: string, members: readonly Member[]): Promise<void> {
  const queue: (readonly Member[])[] = [members];
  const refused: Member[] = [];
  let added = 0;
  let refusals = 0;
  let reason: Error | undefined;
  for (let batch = queue.shift(); batch; batch = queue.shift()) {
    const error = await tryToAdd(sending, ruleId, batch);
    if (!error) {
      added += batch.length;
      continue;
    }
    reason = error;
    refusals++;
    if (batch.length > 1 && (added > 0 || refusals < HOPELESS)) queue.unshift(...halves(batch));
    else refused.push(...batch);
    if (added === 0 && refusals >= HOPELESS) break;
  }
  if (!reason || (refused.length === 0 && added === members.length)) return;
  throw added > 0 ? new MembersRefusedError(refused, reason) : reason;
}

/** Members as the commands take them: by machine, or by some of its addresses. */
export function targetsOf(members: readonly Member[]): Pick<RuleMembers, 'virtualMachineIds' | 'vmIdIpMap'> {
  const whole = members.filter(({ addresses }) => !addresses);
  const vmIdIpMap = members.flatMap(({ machineId: vmid, addresses = [] }) => addresses.map((vmip) => ({ vmid, vmip })));
  return {
    ...(whole.length > 0 && { virtualMachineIds: whole.map(({ machineId }) => machineId) }),
    ...(vmIdIpMap.length > 0 && { vmIdIpMap }),
  };
}

function halves(members: readonly Member[]): readonly (readonly Member[])[] {
  const middle = Math.ceil(members.length / 2);
  return [members.slice(0, middle), members.slice(middle)];
}

/** @returns what CloudStack said against the members; other errors are thrown */
async function tryToAdd(sending: Sending, id: string, members: readonly Member[]): Promise<Error | undefined> {
  const { scope, client } = sending;
  try {
    await finished(sending, client.assignToLoadBalancerRule(scope, { id, ...targetsOf(members) }));
    return undefined;
  } catch (thrown) {
    if (isAboutMembers(thrown)) return thrown;
    throw thrown;
  }
}

/** In the job: 530 for whatever was wrong. At once: 431 for an id that is not known. */
function isAboutMembers(thrown: unknown): thrown is CloudStackApiError {
  if (!(thrown instanceof CloudStackApiError) || thrown instanceof JobInterruptedError) return false;
  return thrown.errorCode === 530 || thrown.errorCode === 431;
}
