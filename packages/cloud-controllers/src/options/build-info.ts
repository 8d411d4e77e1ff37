import { InvalidInputError } from '@cloudstack-ccm/base';

import type { VersionRequest } from './version-flag.ts';

/** What was built, when and from what. */
export interface BuildInfo {
  /** With the leading `v`, for example `v1.2.3-main+0123456`. */
  readonly version: string;
  readonly commit: string;
  /** UTC, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly buildDate: string;
}

/** The values of `kubernetes_build_info` and of `--version=raw`. */
export function buildLabels(build: BuildInfo): Readonly<Record<string, string>> {
  const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(build.version) ?? [];
  return {
    major,
    minor,
    git_version: build.version,
    git_commit: build.commit,
    git_tree_state: '',
    build_date: build.buildDate,
    go_version: `node${process.version}`,
    compiler: 'v8',
    platform: platform(),
  };
}

/** The operating system and the processor in Go's words. */
export function platform(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  return `${process.platform}/${arch}`;
}

/**
 * What `--version` prints; undefined when the program is to go on.
 * @throws InvalidInputError when the version asked for is another one.
 */
export function versionText(request: VersionRequest, build: BuildInfo): string | undefined {
  if (request === 'true') return `Kubernetes ${build.version}`;
  if (request === 'raw') return rawText(build);
  return undefined;
}

/**
 * The build under the version that `--version=vX.Y.Z…` asks for.
 * @throws InvalidInputError when that is not the same release with another suffix.
 */
export function withReportedVersion(request: VersionRequest, build: BuildInfo): BuildInfo {
  if (!request.startsWith('v')) return build;
  if (release(request) !== undefined && release(request) === release(build.version)) {
    return { ...build, version: request };
  }
  throw new InvalidInputError(
    `version "${request}" must match major/minor/patch of default version "${build.version}"`,
  );
}

function release(version: string): string | undefined {
  return /^v(\d+\.\d+\.\d+)(?:[-+]|$)/.exec(version)?.[1];
}

const RAW_NAMES: Readonly<Record<string, string>> = {
  major: 'Major',
  minor: 'Minor',
  git_version: 'GitVersion',
  git_commit: 'GitCommit',
  git_tree_state: 'GitTreeState',
  build_date: 'BuildDate',
  go_version: 'GoVersion',
  compiler: 'Compiler',
  platform: 'Platform',
};

function rawText(build: BuildInfo): string {
  const fields = Object.entries(buildLabels(build)).map(
    ([name, value]) => `${RAW_NAMES[name] ?? name}:${JSON.stringify(value)}`,
  );
  return `version.Info{${fields.join(', ')}}`;
}
