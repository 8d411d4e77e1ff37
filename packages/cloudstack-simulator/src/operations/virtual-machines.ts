import type { State, VirtualMachine, VirtualMachineState } from '../state.ts';
import type { Backend } from './backend.ts';
import { unmap } from './load-balancers.ts';
import { detachIfUnused } from './vpc-addresses.ts';

/** Between the start of the clean-up of a destroyed machine and its end. */
const EXPUNGING_MS = 30_000;

export function setState({ state, clock }: Backend, id: string, vmState: VirtualMachineState): void {
  state.virtualMachines.update(id, { state: vmState, lastUpdated: clock.now() });
}

/** Ends a machine for good: rules and addresses let go of it, its tags go, the row stays as removed. */
export function expunge({ state, clock }: Backend, id: string): void {
  const vm = state.virtualMachines.get(id);
  if (!vm || vm.removed !== undefined) return;
  unmap(state, id);
  for (const rule of state.portForwardingRules.by('virtualMachineId', id)) {
    state.portForwardingRules.delete(rule.id);
    detachIfUnused(state, rule.publicIpId);
  }
  endStaticNat(state, vm);
  for (const tag of state.tags.by('resourceId', id)) state.tags.delete(tag.id);
  state.virtualMachines.update(id, { state: 'Expunging', removed: clock.now() });
}

function endStaticNat(state: State, vm: VirtualMachine): void {
  for (const ip of state.publicIps.by('virtualMachineId', vm.id)) {
    const { staticNat: _, ...bare } = ip;
    state.publicIps.replace(bare);
    detachIfUnused(state, ip.id);
  }
}

/** What the clean-up thread would have done by now. Called at each request, so that no timer has to run. */
export function expungeDue(backend: Backend): void {
  const { state, clock } = backend;
  const delayMs = state.settings.expungeDelaySeconds * 1000;
  for (const vm of state.virtualMachines.by('destroyed', 'yes')) {
    const due = (vm.destroyed ?? 0) + delayMs;
    if (clock.now() >= due + EXPUNGING_MS) expunge(backend, vm.id);
    else if (clock.now() >= due && vm.state === 'Destroyed') setState(backend, vm.id, 'Expunging');
  }
}
