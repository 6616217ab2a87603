import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { tenthOf } from '../../engine/testing/tenth-of.ts';
import { openDatabase } from '../store/open-database.ts';
import { spawnFunction } from '../testing/spawn-function.ts';
import { openDeskStores } from './open-desk-stores.ts';

const KILLS = tenthOf(50);
const PUBLISH_FOR_EVER = new URL('../testing/publish-for-ever.ts', import.meta.url);
const log = pino({ level: 'silent' });

test(`a portal that is killed while it publishes, ${KILLS} times, leaves the old version or the new one`, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'waypost-killed-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  let published = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = await spawnFunction(PUBLISH_FOR_EVER, 'publishForEver', [{ dataDir }]);
    child.on('message', (number) => (published = Number(number)));
    await once(child, 'message');
    const exited = once(child, 'exit');
    // Each a little later into a commit than the last.
    setTimeout(() => child.kill('SIGKILL'), (kill * 20) / KILLS);
    await exited;
    const database = await openDatabase({ dataDir, log });
    const { versions, files: store } = openDeskStores({ database, siteDir: '', now: Date.now });
    const current = await versions.readCurrent();
    expect(current?.number).toBeGreaterThanOrEqual(published);
    expect(current?.number).toBeLessThanOrEqual(published + 1);
    const files = await store.readFiles(current?.files ?? {});
    for (const [path, bytes] of files) expect(String(bytes)).toContain(`${path} of ${current?.number} x`);
    expect(files.size).toBe(3);
    await database.close();
  }
});
