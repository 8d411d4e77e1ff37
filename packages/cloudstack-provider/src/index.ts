export { readCloudConfig, type CloudConfig, type CloudConfigReading } from './cloud-config/cloud-config.ts';
export { type CloudConfigOptions } from './cloud-config/draft.ts';
export { CloudConfigError } from './cloud-config/errors.ts';
export { loadCloudConfig, type LoadedCloudConfig, type LoadOptions } from './cloud-config/load.ts';
export { createCloudStackCloud, type CloudStackCloud, type CloudStackCloudOptions } from './cloudstack-cloud.ts';
