import { Secret } from '@cloudstack-ccm/base';
import type { Draft } from './draft.ts';
import { KEYS, type Key } from './keys.ts';

/** The keys of cloud-config that name a file. */
export type FileKey = 'caFile' | 'apiKeyFile' | 'secretKeyFile';

/** What was read of a file, or why it could not be. */
export type FileContent = { readonly content: Secret } | { readonly problem: string };

/** What a cloud-config draws on beside its own text. */
export interface Sources {
  readonly files: ReadonlyMap<FileKey, FileContent>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface Access {
  readonly apiUrl: string | undefined;
  readonly apiKey: Secret | undefined;
  readonly secretKey: Secret | undefined;
  readonly certificateAuthorities: string | undefined;
}

/** Where keys are looked for that neither stand in the file nor in one that it names. */
export const VARIABLES = {
  apiUrl: 'CLOUDSTACK_API_URL',
  apiKey: 'CLOUDSTACK_API_KEY',
  secretKey: 'CLOUDSTACK_SECRET_KEY',
} as const;

/**
 * How the cloud is reached: what stands in cloud-config goes before the environment. A key in cloud-config and a file
 * for it are a contradiction, and so a problem of the draft.
 */
export function readAccess(draft: Draft, sources: Sources): Access {
  return {
    apiUrl: apiUrl(draft, sources),
    apiKey: secretOf(draft, sources, 'apiKey', 'apiKeyFile'),
    secretKey: secretOf(draft, sources, 'secretKey', 'secretKeyFile'),
    certificateAuthorities: contentOf(draft, sources, 'caFile')?.reveal(),
  };
}

function apiUrl(draft: Draft, { environment }: Sources): string | undefined {
  const variable = environment[VARIABLES.apiUrl] ?? '';
  if (draft.values.apiUrl) {
    warnUnused(draft, variable, VARIABLES.apiUrl, KEYS.apiUrl);
    return draft.values.apiUrl;
  }
  const url = KEYS.apiUrl.read(variable);
  if (url === undefined) draft.problemWith(KEYS.apiUrl, `${VARIABLES.apiUrl} must be ${KEYS.apiUrl.expected}`);
  return url || undefined;
}

function secretOf(
  draft: Draft,
  sources: Sources,
  key: 'apiKey' | 'secretKey',
  fileKey: 'apiKeyFile' | 'secretKeyFile',
): Secret | undefined {
  const variable = sources.environment[VARIABLES[key]] ?? '';
  const written = draft.values[key];
  const given = written && !written.empty ? written : undefined;
  if (draft.values[fileKey]) {
    warnUnused(draft, variable, VARIABLES[key], KEYS[fileKey]);
    if (given) draft.problemWith(KEYS[fileKey], `${KEYS[key].name} is given too: remove one of them`);
    return keyIn(draft, sources, fileKey);
  }
  if (!given) return variable === '' ? undefined : new Secret(variable);
  warnUnused(draft, variable, VARIABLES[key], KEYS[key]);
  return given;
}

/** The key that a file holds. The newline that most editors put at its end is not a part of it. */
function keyIn(draft: Draft, sources: Sources, fileKey: 'apiKeyFile' | 'secretKeyFile'): Secret | undefined {
  const content = contentOf(draft, sources, fileKey);
  if (!content) return undefined;
  const key = content.reveal().replace(/\r?\n$/, '');
  if (key !== '' && !/[\r\n]/.test(key)) return new Secret(key);
  const what = key === '' ? 'an empty file' : 'a file of several lines';
  draft.problemWith(KEYS[fileKey], `${KEYS[fileKey].name} names ${what}: it must hold the key and nothing else`);
  return undefined;
}

function contentOf(draft: Draft, { files }: Sources, fileKey: FileKey): Secret | undefined {
  const file = files.get(fileKey);
  if (!file) return undefined;
  if ('content' in file) return file.content;
  draft.problemWith(KEYS[fileKey], `could not read ${KEYS[fileKey].name}: ${file.problem}`);
  return undefined;
}

function warnUnused(draft: Draft, variable: string, name: string, { name: key }: Key<unknown>): void {
  if (variable !== '')
    draft.warnings.push(`${name} in the environment is not used, since ${key} is given in ${draft.file}`);
}
