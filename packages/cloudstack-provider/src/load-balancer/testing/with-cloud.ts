import { after, before, beforeEach } from 'node:test';
import { Cloud, type CloudOptions } from './cloud.ts';

/** One simulator for all tests of a suite; each begins with the scene as it was. */
export function withCloud(options: CloudOptions = {}): () => Cloud {
  let cloud: Cloud | undefined;
  before(async () => {
    cloud = await Cloud.start(options);
  });
  beforeEach(() => cloud?.reset());
  after(() => cloud?.close());
  return () => {
    if (!cloud) throw new Error('the suite has not begun');
    return cloud;
  };
}
