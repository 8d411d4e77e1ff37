import { InvalidInputError, parseGoBool, type FlagType } from '@cloudstack-ccm/base';

type Stage = 'ALPHA' | 'BETA' | 'OTHER';

interface Gate {
  readonly initial: boolean;
  readonly stage: Stage;
  readonly locked?: boolean;
}

const ALPHA: Gate = { initial: false, stage: 'ALPHA' };
const BETA: Gate = { initial: true, stage: 'BETA' };
const OTHER: Gate = { initial: false, stage: 'OTHER' };
const locked = (initial: boolean): Gate => ({ initial, stage: 'OTHER', locked: true });

/** Gates that other components know: accepted, because operators give one list to all of them; no effect here. */
const WITHOUT_EFFECT = [
  'APIResponseCompression',
  'APIServerIdentity',
  'APIServingWithRoutine',
  'AllowParsingUserUIDFromCertAuth',
  'AllowUnsafeMalformedObjectDeletion',
  'CBORServingAndStorage',
  'ComponentFlagz',
  'ComponentStatusz',
  'ConcurrentWatchObjectDecode',
  'ConsistentListFromCacheSkipTimeoutFallback',
  'ConstrainedImpersonation',
  'ControllerManagerReleaseLeaderElectionLockOnExit',
  'CoordinatedLeaderElection',
  'DeclarativeValidationBeta',
  'DetectCacheInconsistency',
  'EtcdRangeStream',
  'KMSv1',
  'ListFromCacheSnapshot',
  'ManifestBasedAdmissionControlConfig',
  'MutatingAdmissionPolicy',
  'NativeHistograms',
  'OpenAPIEnums',
  'ShardedListAndWatch',
  'SizeBasedListCostEstimate',
  'StorageVersionAPI',
  'StorageVersionHash',
  'StructuredAuthenticationConfigurationEgressSelector',
  'StructuredAuthenticationConfigurationJWKSMetrics',
  'TokenRequestServiceAccountUIDValidation',
  'UnknownVersionInteroperabilityProxy',
  'WatchList',
  'WebhookRoundTripLoadBalancing',
] as const;

const GATES: ReadonlyMap<string, Gate> = new Map<string, Gate>([
  ['AllAlpha', ALPHA],
  ['AllBeta', { initial: false, stage: 'BETA' }],
  ['CloudControllerManagerWatchBasedRoutesReconciliation', ALPHA],
  ['CloudControllerManagerWebhook', ALPHA],
  ['ContextualLogging', BETA],
  ['LoggingAlphaOptions', ALPHA],
  ['LoggingBetaOptions', BETA],
  ['RemoteRequestHeaderUID', BETA],
  ['UnauthenticatedHTTP2DOSMitigation', BETA],
  ['AggregatedDiscoveryRemoveBetaType', locked(true)],
  ['DeclarativeValidation', locked(true)],
  ['DeclarativeValidationTakeover', locked(false)],
  ['SeparateCacheWatchRPC', locked(false)],
  ['WatchCacheInitializationPostStartHook', locked(true)],
  ...WITHOUT_EFFECT.map((name) => [name, OTHER] as const),
]);

/** What `--feature-gates` said, by gate. */
export type FeatureGates = Readonly<Record<string, boolean>>;

/** A gate's value: as given, else as `AllAlpha` or `AllBeta` say for its stage, else its default. */
export function isFeatureEnabled(gates: FeatureGates, name: string): boolean {
  const gate = GATES.get(name) ?? OTHER;
  const all = gate.stage === 'ALPHA' ? gates['AllAlpha'] : gates['AllBeta'];
  return gates[name] ?? (gate.stage === 'OTHER' ? undefined : all) ?? gate.initial;
}

/** The flag type of `--feature-gates`: `A=true,B=false`, repeatable. */
export const featureGatesType: FlagType<FeatureGates> = {
  name: 'mapStringBool',
  parse: (text) => Object.fromEntries(text.split(',').filter(Boolean).map(parseGate)),
  format: (gates) =>
    Object.entries(gates)
      .map(([name, value]) => `${name}=${value}`)
      .sort()
      .join(','),
  combine: (earlier, later) => ({ ...earlier, ...later }),
};

function parseGate(text: string): [name: string, value: boolean] {
  const [name = '', ...rest] = text.split('=').map((part) => part.trim());
  if (rest.length === 0) throw new InvalidInputError(`missing bool value for ${name}`);
  const raw = rest.join('=');
  const value = parseGoBool(raw);
  if (value === undefined) {
    const reason = `strconv.ParseBool: parsing ${JSON.stringify(raw)}: invalid syntax`;
    throw new InvalidInputError(`invalid value of ${name}=${raw}, err: ${reason}`);
  }
  checkGate(name, value);
  return [name, value];
}

function checkGate(name: string, value: boolean): void {
  const gate = GATES.get(name);
  if (!gate) throw new InvalidInputError(`unrecognized feature gate: ${name}`);
  if (!gate.locked || gate.initial === value) return;
  throw new InvalidInputError(`cannot set feature gate ${name} to ${value}, feature is locked to ${gate.initial}`);
}

/** The gates that the help lists: those with an effect, sorted. */
export function describeGates(): string {
  return [...GATES]
    .filter(([, gate]) => gate.stage !== 'OTHER')
    .map(([name, gate]) => `${name}=true|false (${gate.stage} - default=${gate.initial})`)
    .sort()
    .join('\n');
}
