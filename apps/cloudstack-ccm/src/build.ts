import type { BuildInfo } from '@cloudstack-ccm/cloud-controllers';

/* The bundler puts the values in; sources that run as they are have none. */
/* oxlint-disable no-underscore-dangle -- the usual form of names that a bundler replaces */
declare const __VERSION__: string | undefined;
declare const __COMMIT__: string | undefined;
declare const __BUILD_DATE__: string | undefined;

/** What this program was built from. */
export const BUILD: BuildInfo = {
  version: `v${typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0-sources'}`,
  commit: typeof __COMMIT__ === 'string' ? __COMMIT__ : '',
  buildDate: typeof __BUILD_DATE__ === 'string' ? __BUILD_DATE__ : '1970-01-01T00:00:00Z',
};
