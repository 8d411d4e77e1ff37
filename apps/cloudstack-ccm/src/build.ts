import type { BuildInfo } from '@cloudstack-ccm/cloud-controllers';

/* The bundler puts text in their place; the sources run without a bundle too. */
declare const __VERSION__: string;
declare const __COMMIT__: string;
declare const __BUILD_DATE__: string;

/** What this program was built from. */
export const BUILD: BuildInfo = {
  version: `v${typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0-source'}`,
  commit: typeof __COMMIT__ === 'string' ? __COMMIT__ : '',
  buildDate: typeof __BUILD_DATE__ === 'string' ? __BUILD_DATE__ : '',
};
