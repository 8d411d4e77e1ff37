import { join } from 'node:path';
import { bundle, ROOM } from './bundle.ts';
import { clear, restoreManifest, swapManifest } from './manifest.ts';

// npm packs the manifest that it finds after this, and there is no other way to give it one of its own.
const dist = join(ROOM, 'dist');
await restoreManifest(ROOM);
await clear(dist);
await bundle(dist);
await swapManifest(ROOM);
