import { CombinedError, InvalidInputError } from '@cloudstack-ccm/base';

import { unknownControllers } from './controller-names.ts';
import { isFeatureEnabled } from './feature-gates.ts';
import type { Options } from './options.ts';

/** How much longer than the retry period, at random, a try to take the lease may be put off. */
const JITTER_FACTOR = 1.2;

/** All problems of the log flags. They are looked at first, because the rest is told through the log. */
export function validateLogging({ global, generic }: Options): Error | undefined {
  return combined([...formatProblems(global, generic), ...streamProblems(global, generic)]);
}

function* formatProblems(global: Options['global'], generic: Options['generic']): Iterable<string> {
  const { loggingFormat: format, vmodule, logFlushFrequency } = global;
  if (format !== 'text' && format !== 'json') {
    yield `format: Invalid value: ${JSON.stringify(format)}: Unsupported log format`;
  }
  if (format === 'json' && !isFeatureEnabled(generic.featureGates, 'LoggingBetaOptions')) {
    yield 'format: Forbidden: Log format json is BETA and disabled, see LoggingBetaOptions feature';
  }
  if (logFlushFrequency <= 0) yield 'flushFrequency: Invalid value: Must be greater than zero';
  if (vmodule !== '' && format !== 'text') yield 'vmodule: Forbidden: Only supported for text log format';
}

function* streamProblems(global: Options['global'], generic: Options['generic']): Iterable<string> {
  if (isFeatureEnabled(generic.featureGates, 'LoggingAlphaOptions')) return;
  const used: Readonly<Record<string, boolean>> = {
    'options.text.splitStream': global.textSplitStream,
    'options.text.infoBufferSize': global.textInfoBufferSize !== '0',
    'options.json.splitStream': global.jsonSplitStream,
    'options.json.infoBufferSize': global.jsonInfoBufferSize !== '0',
  };
  for (const [path, isUsed] of Object.entries(used)) {
    if (isUsed) yield `${path}: Forbidden: Feature LoggingAlphaOptions is disabled`;
  }
}

/** All problems of the other flags at once, in the order of the Go framework, ours after them. */
export function validateOptions(options: Options): Error | undefined {
  const { generic, secureServing } = options;
  const lock = generic.leaderElect && generic.leaderElectResourceLock !== 'leases';
  return combined([
    ...(lock ? ['resourceLock value must be "leases"'] : []),
    ...unknownControllers(generic.controllers),
    ...portProblem('--secure-port', secureServing.securePort, '0 for turning off secure port'),
    ...headerProblems(options),
    ...webhookProblems(options),
    ...(generic.cloudProvider === '' ? ['--cloud-provider cannot be empty'] : []),
    ...workerProblems(options),
    ...leaseProblems(options),
    ...guardProblems(options),
  ]);
}

function combined(problems: readonly string[]): Error | undefined {
  return CombinedError.of([...new Set(problems)].map((problem) => new InvalidInputError(problem)));
}

function portProblem(name: string, port: number, zero: string): readonly string[] {
  return port >= 0 && port <= 65_535 ? [] : [`${name} ${port} must be between 0 and 65535, inclusive. ${zero}`];
}

function* headerProblems({ authentication: auth }: Options): Iterable<string> {
  const lists: Readonly<Record<string, readonly string[]>> = {
    'requestheader-username-headers': auth.requestHeaderUsernameHeaders,
    'requestheader-group-headers': auth.requestHeaderGroupHeaders,
    'requestheader-extra-headers-prefix': auth.requestHeaderExtraPrefixes,
    'requestheader-allowed-names': auth.requestHeaderAllowedNames,
    'requestheader-uid-headers': auth.requestHeaderUidHeaders,
  };
  for (const [name, list] of Object.entries(lists)) {
    if (list.some((item) => item.trim() === '')) yield `empty value in ${JSON.stringify(name)}`;
  }
  if (auth.requestHeaderUidHeaders.length > 0 && !includesFolded(auth.requestHeaderUidHeaders, 'X-Remote-Uid')) {
    yield (
      '--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - ' +
      'API aggregation will not work'
    );
  }
}

function includesFolded(list: readonly string[], wanted: string): boolean {
  return list.some((item) => item.toLowerCase() === wanted.toLowerCase());
}

function* webhookProblems({ webhook, webhookServing, secureServing }: Options): Iterable<string> {
  const names = webhook.webhooks.filter((item) => item !== '*').map((item) => item.replace(/^-/, ''));
  for (const name of names.sort()) yield `${JSON.stringify(name)} is not in the list of known webhooks`;
  const port = webhookServing.webhookSecurePort;
  yield* portProblem('--webhook-secure-port', port, 'A value of 0 disables the webhook endpoint entirely.');
  if (port !== 0 && port === secureServing.securePort) {
    yield '--webhook-secure-port cannot be the same value as --secure-port';
  }
}

/** Go never asks its own validator, so that 0 gives a process that does nothing; nobody can want that. */
function* workerProblems({ nodeController, serviceController }: Options): Iterable<string> {
  if (nodeController.concurrentNodeSyncs <= 0) yield 'concurrent-node-syncs must be a positive number';
  if (nodeController.concurrentNodeStatusUpdates < 0) {
    yield 'concurrent-node-status-updates cannot be a negative number';
  }
  if (serviceController.concurrentServiceSyncs <= 0) yield 'concurrent-service-syncs must be a positive number';
}

/** Go panics over these after it has started to serve. */
function* leaseProblems({ generic }: Options): Iterable<string> {
  if (!generic.leaderElect) return;
  const { leaderElectLeaseDuration, leaderElectRenewDeadline, leaderElectRetryPeriod } = generic;
  if (leaderElectLeaseDuration < 1000) yield 'leaseDuration must be at least one second';
  if (leaderElectRetryPeriod < 1) yield 'retryPeriod must be greater than zero';
  if (leaderElectLeaseDuration <= leaderElectRenewDeadline) yield 'leaseDuration must be greater than renewDeadline';
  if (leaderElectRenewDeadline <= leaderElectRetryPeriod * JITTER_FACTOR) {
    yield 'renewDeadline must be greater than retryPeriod*JitterFactor';
  }
}

function* guardProblems({ deletionGuard }: Options): Iterable<string> {
  if (deletionGuard.holdCount < 0) yield '--node-deletion-hold-count cannot be negative';
  if (deletionGuard.holdPercent < 0 || deletionGuard.holdPercent > 100) {
    yield '--node-deletion-hold-percent must be between 0 and 100';
  }
  if (deletionGuard.holdWindow < 0) yield '--node-deletion-hold-window cannot be negative';
}
