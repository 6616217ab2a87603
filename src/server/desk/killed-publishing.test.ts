import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tenthOf } from '../../engine/testing/tenth-of.ts';
import { spawnFunction } from '../testing/spawn-function.ts';
import { openDeskStores, recoverVersion } from './open-desk-stores.ts';

const KILLS = tenthOf(50);
const PUBLISH_FOR_EVER = new URL('../testing/publish-for-ever.ts', import.meta.url);
const log = pino({ level: 'silent' });

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-killed-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test(`a portal that is killed while it publishes, ${KILLS} times, leaves the old version or the new one`, async () => {
  let published = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = await spawnFunction(PUBLISH_FOR_EVER, 'publishForEver', [dir]);
    child.on('message', (number) => (published = Number(number)));
    await once(child, 'message');
    const exited = once(child, 'exit');
    // Each a little later into a commit than the last.
    setTimeout(() => child.kill('SIGKILL'), (kill * 20) / KILLS);
    await exited;
    const { versions } = await openDeskStores({ dir, log, now: Date.now });
    const current = versions.currentNumber();
    expect(current).toBeGreaterThanOrEqual(published);
    expect(current).toBeLessThanOrEqual(published + 1);
    // Whole as it is: nothing had to be recovered.
    expect(await recoverVersion({ versions }, { log, now: Date.now })).toMatchObject({ number: current });
    const files = await versions.readFiles((await versions.read(current)).files);
    for (const [path, bytes] of files) expect(String(bytes)).toContain(`${path} of ${current} x`);
    expect(files.size).toBe(3);
  }
});
