import type { JsonObject } from '../json.ts';

/** The release whose behaviour and types this simulator has. */
export const gitVersion = 'v1.36.3';

/** `/version` */
export function versionInfo(): JsonObject {
  return {
    major: '1',
    minor: '36',
    emulationMajor: '1',
    emulationMinor: '36',
    minCompatibilityMajor: '1',
    minCompatibilityMinor: '35',
    gitVersion,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: 'node',
    platform: `${process.platform}/${process.arch}`,
  };
}
