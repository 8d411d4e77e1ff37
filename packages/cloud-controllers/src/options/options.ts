import { parseFlags, type ParsedFlags, type FlagGroup, type Flags, type ValuesOf } from '@cloudstack-ccm/base';

import {
  debuggingFlags,
  deletionGuardFlags,
  FLAG_GROUPS,
  genericFlags,
  globalFlags,
  leaderMigrationFlags,
  miscFlags,
  nodeControllerFlags,
  serviceControllerFlags,
  webhookFlags,
} from './flags.ts';
import { authenticationFlags, authorizationFlags, secureServingFlags, webhookServingFlags } from './serving-flags.ts';

/** The values of all flags, by the groups of the help. Durations are in milliseconds. */
export interface Options {
  readonly debugging: ValuesOf<typeof debuggingFlags>;
  readonly leaderMigration: ValuesOf<typeof leaderMigrationFlags>;
  readonly generic: ValuesOf<typeof genericFlags>;
  readonly nodeController: ValuesOf<typeof nodeControllerFlags>;
  readonly serviceController: ValuesOf<typeof serviceControllerFlags>;
  readonly webhook: ValuesOf<typeof webhookFlags>;
  readonly webhookServing: ValuesOf<typeof webhookServingFlags>;
  readonly secureServing: ValuesOf<typeof secureServingFlags>;
  readonly authentication: ValuesOf<typeof authenticationFlags>;
  readonly authorization: ValuesOf<typeof authorizationFlags>;
  readonly misc: ValuesOf<typeof miscFlags>;
  readonly global: ValuesOf<typeof globalFlags>;
  readonly deletionGuard: ValuesOf<typeof deletionGuardFlags>;
}

export interface CommandLine {
  readonly options: Options;
  /** Every flag with its value as text, for the log. */
  readonly flags: readonly (readonly [name: string, value: string])[];
  /** Arguments that are no flags. */
  readonly positional: readonly string[];
  /** Lines for stderr about deprecated flags. */
  readonly warnings: readonly string[];
  /** Lines for the log about flags that were set and change nothing. */
  readonly withoutEffect: readonly string[];
  /** The values of flags of a group that the program added. */
  values<F extends Flags>(flags: F): ValuesOf<F>;
}

/**
 * Reads the command line of a cloud controller manager. It checks syntax only; see `validateOptions`.
 * @param extra groups of the program's own.
 * @throws FlagError at the first fault.
 */
export function readCommandLine(args: readonly string[], extra: readonly FlagGroup[] = []): CommandLine {
  const parsed = parseFlags([...FLAG_GROUPS, ...extra], args);
  const options: Options = {
    debugging: parsed.values(debuggingFlags),
    leaderMigration: parsed.values(leaderMigrationFlags),
    generic: parsed.values(genericFlags),
    nodeController: parsed.values(nodeControllerFlags),
    serviceController: parsed.values(serviceControllerFlags),
    webhook: parsed.values(webhookFlags),
    webhookServing: parsed.values(webhookServingFlags),
    secureServing: parsed.values(secureServingFlags),
    authentication: parsed.values(authenticationFlags),
    authorization: parsed.values(authorizationFlags),
    misc: parsed.values(miscFlags),
    global: parsed.values(globalFlags),
    deletionGuard: parsed.values(deletionGuardFlags),
  };
  return {
    options,
    flags: parsed.entries(),
    positional: parsed.positional,
    warnings: parsed.warnings,
    withoutEffect: withoutEffect(parsed),
    values: (flags) => parsed.values(flags),
  };
}

/** Flags that are taken for compatibility: a person who set one must not wait for what it does elsewhere. */
function withoutEffect(parsed: ParsedFlags): readonly string[] {
  const flags = FLAG_GROUPS.flatMap((group) => Object.values(group.flags));
  return flags.flatMap((flag) => {
    const [, reason] = /Accepted for compatibility; (.+)$/s.exec(flag.usage) ?? [];
    const set = flag.type.format(parsed.valueOf(flag)) !== flag.type.format(flag.initial);
    return reason !== undefined && set ? [`--${flag.name} is set, but changes nothing: ${reason}`] : [];
  });
}

/** How many nodes get their addresses updated at a time: the flag, else that of the initialising workers. */
export function addressWorkers({ nodeController }: Options): number {
  return nodeController.concurrentNodeStatusUpdates || nodeController.concurrentNodeSyncs;
}
