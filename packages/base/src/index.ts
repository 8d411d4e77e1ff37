export { Backoff, backoffDelay, type BackoffOptions } from './backoff.ts';
export { systemClock, type Clock, type Timer } from './clock.ts';
export {
  asError,
  CancelledError,
  CodedError,
  CombinedError,
  DeadlineExceededError,
  InvalidInputError,
  messageOf,
} from './errors.ts';
export { FakeClock } from './fake-clock.ts';
export { type FlagType } from './flag-types.ts';
export { describeFlags } from './flag-usage.ts';
export {
  boolFlag,
  durationFlag,
  flag,
  FlagError,
  float32Flag,
  int32Flag,
  int32ListFlag,
  intFlag,
  ipFlag,
  ParsedFlags,
  parseFlags,
  stringFlag,
  stringListFlag,
  type Flag,
  type FlagGroup,
  type Flags,
  type ValuesOf,
} from './flags.ts';
export { formatGoDuration, parseGoDuration } from './go-duration.ts';
export { parseGoBool } from './go-numbers.ts';
export { cidrContains, parseCidr, parseIp, type Cidr, type IpAddress } from './ip.ts';
export { jsonSink } from './json-log.ts';
export { KeyedLock } from './keyed-lock.ts';
export { klogSink } from './klog.ts';
export {
  createLogger,
  silentLogger,
  type Fields,
  type Logger,
  type LogRecord,
  type LogSink,
  type Severity,
  type Verbosity,
} from './log.ts';
export {
  createMetrics,
  exponentialBuckets,
  type CounterMetric,
  type GaugeMetric,
  type HistogramMetric,
  type Metrics,
} from './metrics.ts';
export { Scope } from './scope.ts';
export { Secret } from './secret.ts';
export { shorten } from './shorten.ts';
export { Tasks } from './tasks.ts';
export { TokenBucket } from './token-bucket.ts';
export {
  issueCertificate,
  type CertificateIssuer,
  type CertificateRequest,
  type CertificateSubject,
  type KeyPair,
} from './x509/certificate.ts';
export { readVmodule, type FileVerbosity } from './vmodule.ts';
