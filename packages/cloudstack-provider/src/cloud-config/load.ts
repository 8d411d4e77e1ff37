import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, Secret } from '@cloudstack-ccm/base';
import { completeCloudConfig, type CloudConfig, type CloudConfigReading } from './cloud-config.ts';
import { Draft, type CloudConfigOptions } from './draft.ts';
import { CloudConfigError } from './errors.ts';
import { VARIABLES, type FileContent, type FileKey, type Sources } from './sources.ts';

/** A cloud-config with the files that it names. */
export interface LoadedCloudConfig extends CloudConfig {
  /** Everything it was read from, to notice changes by. */
  readonly source: Secret;
}

export interface LoadOptions extends Omit<CloudConfigOptions, 'file'> {
  /** Where keys are looked for that cloud-config does not have: `CLOUDSTACK_API_KEY` and the like. Default: nowhere. */
  readonly environment?: Sources['environment'] | undefined;
}

const FILE_KEYS: readonly FileKey[] = ['caFile', 'apiKeyFile', 'secretKeyFile'];

/**
 * Reads the cloud-config at a path, and the files that it names; their paths count from its directory.
 * @param file empty or undefined when none was given on the command line: the environment may have it all
 * @throws CloudConfigError with all problems at once
 */
export async function loadCloudConfig(
  file: string | undefined,
  { environment = {}, ...options }: LoadOptions = {},
): Promise<CloudConfigReading & { readonly config: LoadedCloudConfig }> {
  if (!file && !Object.values(VARIABLES).every((name) => environment[name])) {
    const advice = `name a file with --cloud-config, or set ${Object.values(VARIABLES).join(', ')}`;
    throw new CloudConfigError('no cloud provider config given', [advice]);
  }
  const text = file ? await read(file) : '';
  const draft = new Draft(text, { ...options, file: file || 'the environment' });
  const files = await readFiles(draft, file ?? '');
  const { config, warnings } = completeCloudConfig(draft, { files, environment });
  return { config: { ...config, source: new Secret(fingerprint(text, files)) }, warnings };
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const hint = 'it is the file that --cloud-config names, in a cluster the key cloud-config of the mounted Secret';
    throw new CloudConfigError('could not read cloud provider config', [`${messageOf(error)}: ${hint}`]);
  }
}

async function readFiles({ values }: Draft, file: string): Promise<ReadonlyMap<FileKey, FileContent>> {
  const files = new Map<FileKey, FileContent>();
  for (const key of FILE_KEYS) {
    const named = values[key];
    if (named) files.set(key, await contentOf(path.resolve(path.dirname(file), named)));
  }
  return files;
}

async function contentOf(file: string): Promise<FileContent> {
  try {
    return { content: new Secret(await readFile(file, 'utf8')) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

function fingerprint(text: string, files: ReadonlyMap<FileKey, FileContent>): string {
  const contents = [...files.values()].map((file) => ('content' in file ? file.content.reveal() : ''));
  return JSON.stringify([text, ...contents]);
}
