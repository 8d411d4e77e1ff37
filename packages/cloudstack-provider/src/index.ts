export {
  readCloudConfig,
  type CloudConfig,
  type CloudConfigOptions,
  type CloudConfigReading,
} from './cloud-config/cloud-config.ts';
export { CloudConfigError } from './cloud-config/errors.ts';
export { loadCloudConfig, type LoadedCloudConfig } from './cloud-config/load.ts';
export { createCloudStackCloud, type CloudStackCloud, type CloudStackCloudOptions } from './cloudstack-cloud.ts';
