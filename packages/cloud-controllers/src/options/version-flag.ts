import { flag, InvalidInputError, parseGoBool, type FlagType } from '@cloudstack-ccm/base';

/** `true` prints the version, `raw` all build information, `vX.Y.Z…` sets the version that is reported. */
export type VersionRequest = 'false' | 'true' | 'raw' | `v${string}`;

const versionType: FlagType<VersionRequest> = {
  name: 'version',
  parse(text) {
    if (text === 'raw') return 'raw';
    if (text.startsWith('v')) return `v${text.slice(1)}`;
    const value = parseGoBool(text);
    if (value === undefined) {
      throw new InvalidInputError(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
    }
    return value ? 'true' : 'false';
  },
  format: (value) => value,
};

export const versionFlag = flag<VersionRequest>(
  versionType,
  'version',
  'false',
  '--version, --version=raw prints version information and quits; --version=vX.Y.Z... sets the reported version',
  { bare: 'true' },
);
