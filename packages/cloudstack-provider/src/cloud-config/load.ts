import { readFile } from 'node:fs/promises';
import { messageOf, Secret } from '@cloudstack-ccm/base';
import { CloudConfigError } from './errors.ts';
import { readCloudConfig, type CloudConfig, type CloudConfigOptions, type CloudConfigReading } from './cloud-config.ts';

/** A cloud-config with the files that it names. */
export interface LoadedCloudConfig extends CloudConfig {
  /** The content of `ca-file`. */
  readonly certificateAuthorities: string | undefined;
  /** The text it was read from, to notice changes by. */
  readonly source: Secret;
}

/**
 * Reads the cloud-config at a path.
 * @param path empty or undefined when none was given on the command line
 * @throws CloudConfigError with all problems at once
 */
export async function loadCloudConfig(
  path: string | undefined,
  options: Omit<CloudConfigOptions, 'file'> = {},
): Promise<CloudConfigReading & { readonly config: LoadedCloudConfig }> {
  if (!path) throw new CloudConfigError('no cloud provider config given', ['name a file with --cloud-config']);
  const text = await read(path, 'could not read cloud provider config');
  const { config, warnings } = readCloudConfig(text, { ...options, file: path });
  const certificateAuthorities = config.caFile && (await read(config.caFile, 'could not read ca-file'));
  return { config: { ...config, certificateAuthorities, source: new Secret(text) }, warnings };
}

async function read(path: string, problem: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new CloudConfigError(problem, [messageOf(error)]);
  }
}
