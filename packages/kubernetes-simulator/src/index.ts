export type { PolicyRule, TokenUser } from './access/user.ts';
export { ApiError } from './errors.ts';
export type { Fault, FaultRule, WatchFault } from './faults/fault.ts';
export type { ActiveRule, Faults } from './faults/faults.ts';
export type { JsonObject, JsonValue } from './json.ts';
export type { ClusterSettings } from './kinds/strategy.ts';
export type { ObjectReference, Objects } from './objects.ts';
export type { TlsMaterial } from './server.ts';
export {
  startKubernetesSimulator,
  type KubernetesSimulator,
  type RestartOptions,
  type SimulatorOptions,
} from './simulator.ts';
export type { WriteLog, WriteLogEntry } from './write-log.ts';
