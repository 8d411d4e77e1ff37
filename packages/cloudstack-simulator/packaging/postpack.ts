import { join } from 'node:path';
import { ROOM } from './bundle.ts';
import { clear, restoreManifest } from './manifest.ts';

await restoreManifest(ROOM);
await clear(join(ROOM, 'dist'));
