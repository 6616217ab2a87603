import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeStore } from '../../testing/store-suite.ts';
import { createMemoryStore } from './memory-store.ts';

describeStore('memory', async () => {
  const dataDir = join(await mkdtemp(join(tmpdir(), 'waypost-store-')), 'data');
  let time = Date.now();
  return {
    open: async () => createMemoryStore({ dataDir, now: () => time }),
    closeWindow: async () => {
      time += 10_000;
    },
    dispose: () => rm(dataDir, { recursive: true, force: true }),
  };
});
