export type { CallEntry, CallLog, Outcome } from './call-log.ts';
export type { ActiveFault, FaultAction, FaultRule, Faults } from './faults.ts';
export type { Jobs } from './jobs.ts';
export type {
  AccountSpec,
  Credentials,
  NetworkOfferingSpec,
  NetworkSpec,
  VirtualMachineSpec,
  VpcOfferingSpec,
  VpcSpec,
  ZoneSpec,
} from './scene/specs.ts';
export { World } from './scene/world.ts';
export type { Settings } from './settings.ts';
export { sign } from './signature.ts';
export { startSimulator, type Simulator, type SimulatorOptions } from './simulator.ts';
export { State, type StateSnapshot } from './state.ts';
export { Table, type Row } from './table.ts';
export { fixedJobTiming, timingByName, type Span, type Timing, type TimingName } from './timing.ts';
export { versionProfiles, type VersionProfile } from './version-profile.ts';
