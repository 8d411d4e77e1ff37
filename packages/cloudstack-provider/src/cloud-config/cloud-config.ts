import type { Secret } from '@cloudstack-ccm/base';
import type { DeletionLimits } from '@cloudstack-ccm/cloud-controllers';
import { Draft, type CloudConfigOptions, type Values } from './draft.ts';
import { CloudConfigError } from './errors.ts';
import { KEYS } from './keys.ts';
import { readNodeOptions, type NodeOptions } from './node-options.ts';
import { readAccess, type Access, type Sources } from './sources.ts';

/** The cloud-config, read and checked. An absent key is undefined or has its default. */
export interface CloudConfig {
  readonly apiUrl: string;
  readonly apiKey: Secret;
  readonly secretKey: Secret;
  /** The id or the name of a project. */
  readonly projectId: string | undefined;
  readonly zone: string | undefined;
  readonly region: string | undefined;
  readonly sslNoVerify: boolean;
  /** Pins the CloudStack version. */
  readonly version: string | undefined;
  /** The content of `ca-file`. */
  readonly certificateAuthorities: string | undefined;
  readonly proxyUrl: Secret | undefined;
  /** How long one API call may take, in milliseconds. */
  readonly timeoutMs: number;
  /** How long an async job may take, in milliseconds. */
  readonly jobTimeoutMs: number;
  /** API calls a second on average, and at once. 0 a second means no limit. */
  readonly rateLimit: { readonly perSecond: number; readonly burst: number };
  readonly nodes: NodeOptions;
  /** Limits of the deletion guard that go before the flags of the same names. */
  readonly deletionLimits: Partial<DeletionLimits>;
}

export interface CloudConfigReading {
  readonly config: CloudConfig;
  /** Sentences for the log, each with its place, none with a value. */
  readonly warnings: readonly string[];
}

/** Texts that operators know from the Go CCM and search for. */
const UNREADABLE = 'could not parse cloud provider config';
const MISSING = 'no cloud provider config given';

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_JOB_TIMEOUT_MS = 300_000;
/** Two Services at work in each of 20 networks make 350 calls a second. CloudStack's own limit is kept when it tells it. */
const DEFAULT_RATE_LIMIT = 500;
const DEFAULT_RATE_LIMIT_BURST = 500;

const NOTHING_ELSE: Sources = { files: new Map(), environment: {} };

/**
 * Reads the text of a cloud-config that names no files, without looking at the environment.
 * @throws CloudConfigError with all problems at once
 */
export function readCloudConfig(text: string, options: CloudConfigOptions): CloudConfigReading {
  return completeCloudConfig(new Draft(text, options), NOTHING_ELSE);
}

/** @throws CloudConfigError with all problems at once, those of the files and the environment included */
export function completeCloudConfig(draft: Draft, sources: Sources): CloudConfigReading {
  const access = readAccess(draft, sources);
  const nodes = readNodeOptions(draft);
  const { apiUrl, apiKey, secretKey } = access;
  const missing = missingKeys(draft, access);
  if (draft.problems.length > 0) throw new CloudConfigError(UNREADABLE, [...draft.problems, ...missing]);
  if (!apiUrl || !apiKey || !secretKey) throw new CloudConfigError(MISSING, missing);
  const { certificateAuthorities } = access;
  const config = { ...settings(draft.values), apiUrl, apiKey, secretKey, certificateAuthorities, nodes };
  return { config, warnings: draft.warnings };
}

/** One sentence about what is in neither of its places, unless it was written and is wrong. */
function missingKeys(draft: Draft, access: Access): readonly string[] {
  const { apiKeyFile, secretKeyFile } = draft.values;
  const missing = [
    ...(access.apiUrl ? [] : [KEYS.apiUrl]),
    ...(access.apiKey || apiKeyFile ? [] : [KEYS.apiKey]),
    ...(access.secretKey || secretKeyFile ? [] : [KEYS.secretKey]),
  ].filter((key) => !draft.mentions(key));
  if (missing.length === 0) return [];
  return [`${missing.map(({ name }) => name).join(', ')} missing in section [Global] of ${draft.file}`];
}

type Settings = Omit<CloudConfig, keyof Access | 'nodes'>;

function settings(values: Values): Settings {
  return {
    projectId: values.projectId || undefined,
    zone: values.zone || undefined,
    region: values.region || undefined,
    sslNoVerify: values.sslNoVerify ?? false,
    version: values.version || undefined,
    proxyUrl: values.proxyUrl?.empty === false ? values.proxyUrl : undefined,
    timeoutMs: values.timeout ?? DEFAULT_TIMEOUT_MS,
    jobTimeoutMs: values.jobTimeout ?? DEFAULT_JOB_TIMEOUT_MS,
    rateLimit: {
      perSecond: values.rateLimit ?? DEFAULT_RATE_LIMIT,
      burst: values.rateLimitBurst ?? DEFAULT_RATE_LIMIT_BURST,
    },
    deletionLimits: deletionLimits(values),
  };
}

function deletionLimits(values: Values): Partial<DeletionLimits> {
  const { nodeDeletionHoldCount: count, nodeDeletionHoldPercent: percent, nodeDeletionHoldWindow: windowMs } = values;
  return {
    ...(count !== undefined && { count }),
    ...(percent !== undefined && { percent }),
    ...(windowMs !== undefined && { windowMs }),
  };
}
